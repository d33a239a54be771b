// In the words of the oldest browsers: none of them may send a form by itself, with what was typed in the address.
(() => {
  const pressed = [];
  let hasFailed = !(window.CSS && CSS.supports("selector(:has(a))") && Element.prototype.checkVisibility);
  window.isOldBrowser = hasFailed;
  // Nothing will do what was pressed, or not for a while.
  const say = () => {
    const words = document.getElementById("not-loaded");
    if (words && pressed[0]) words.hidden = false;
  };
  const hold = (event) => {
    if (event.type === "error") {
      if (event.target.tagName === "SCRIPT") hasFailed = true;
      return hasFailed && say();
    }
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
    setTimeout(say, hasFailed ? 0 : 15000);
    if (pressed.some(([other]) => other === target)) return;
    const button = isSubmit ? event.submitter : target;
    const look = button && button.animate && button.animate({ opacity: 0.6 }, { duration: 1, fill: "forwards" });
    pressed.push([target, button, look, [...document.querySelectorAll(target.tagName)].indexOf(target)]);
  };
  const types = ["click", "submit", "error"];
  for (const type of types) addEventListener(type, hold, true);
  window.takePressedEarly = () => {
    for (const type of types) removeEventListener(type, hold, true);
    return pressed.splice(0);
  };
})();
