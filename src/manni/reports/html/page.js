"use strict";
const form = document.getElementById("filters");
if (form) {
  const findings = [...document.querySelectorAll(".finding")];
  const files = [...document.querySelectorAll(".file")];
  const show = () => {
    const chosen = [...new FormData(form)].filter(([, value]) => value !== "");
    let shown = 0;
    for (const finding of findings) {
      finding.hidden = !chosen.every(([name, value]) => finding.dataset[name] === value);
      shown += finding.hidden ? 0 : 1;
    }
    for (const file of files) {
      file.hidden = !file.querySelector(".finding:not([hidden])");
    }
    document.getElementById("shown").value = `${shown} of ${findings.length} shown`;
  };
  form.addEventListener("change", show);
  form.addEventListener("reset", () => setTimeout(show));
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
}
