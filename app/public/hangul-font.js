// Small screens use their own Hangul; a device that has none (it draws what no font has the same way) gets ours.
(() => {
  const drawn = (letter) => {
    const canvas = document.createElement("canvas");
    canvas.width = 24;
    canvas.height = 24;
    const pen = canvas.getContext("2d");
    if (!pen) return letter;
    pen.font = "18px sans-serif";
    pen.fillText(letter, 2, 19);
    return canvas.toDataURL();
  };
  if (drawn("한") !== drawn("\u{10FFFD}")) return;
  for (const link of document.querySelectorAll('link[rel="stylesheet"][media]')) link.media = "all";
})();
