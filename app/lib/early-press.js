(() => {
  const pressed = [];
  const hold = (event) => {
    const isSubmit = event.type === "submit";
    const target = isSubmit ? event.target : event.target.closest?.("button");
    if (!target) return;
    if (isSubmit) {
      if (target.hasAttribute("action")) return;
      event.preventDefault();
    } else if (
      (target.form && target.type !== "button") ||
      target.commandForElement ||
      target.popoverTargetElement ||
      target.closest("summary")
    )
      return;
    if (pressed.some(([other]) => other === target)) return;
    const button = isSubmit ? event.submitter : target;
    pressed.push([target, button, button?.animate?.({ opacity: 0.6 }, { duration: 1, fill: "forwards" })]);
  };
  for (const type of ["click", "submit"]) addEventListener(type, hold, true);
  window.takePressedEarly = () => {
    for (const type of ["click", "submit"]) removeEventListener(type, hold, true);
    return pressed.splice(0);
  };
})();
