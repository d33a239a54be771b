// In the words of the oldest browsers, on each page with the application: its scripts may never come, or not run there.
(() => {
  let hasFailed = !(window.CSS && CSS.supports("selector(:has(a))") && Element.prototype.checkVisibility);
  let isPressed = false;
  window.isOldBrowser = hasFailed;
  // Nothing will do what was pressed, or not for a while.
  const say = () => {
    const words = document.getElementById("not-loaded");
    if (words && isPressed && document.documentElement.dataset.listens === undefined) words.hidden = false;
  };
  // Called by early-press.js.
  window.sayNotLoaded = () => {
    isPressed = true;
    setTimeout(say, hasFailed ? 0 : 15000);
  };
  const noteFailure = (event) => {
    if (event.target.tagName === "SCRIPT") hasFailed = true;
    if (hasFailed) say();
  };
  addEventListener("error", noteFailure, true);
})();
