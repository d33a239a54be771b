// In the words of the oldest browsers: none of them may send a form by itself, with what was typed in the address.
(() => {
  const pressed = [];
  const hold = (event) => {
    const isSubmit = event.type === "submit";
    const target = isSubmit ? event.target : event.target.closest("button");
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
    if (window.sayNotLoaded) sayNotLoaded();
    if (pressed.some(([other]) => other === target)) return;
    const button = isSubmit ? event.submitter : target;
    const look = button && button.animate && button.animate({ opacity: 0.6 }, { duration: 1, fill: "forwards" });
    pressed.push([target, button, look, [...document.querySelectorAll(target.tagName)].indexOf(target)]);
  };
  const types = ["click", "submit"];
  for (const type of types) addEventListener(type, hold, true);
  window.takePressedEarly = () => {
    for (const type of types) removeEventListener(type, hold, true);
    return pressed.splice(0);
  };
})();
