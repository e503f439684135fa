/** `recheck.js`: says that the monitor has stopped, where a page is read after its time. Nothing else needs a script. */
export const script = `"use strict";
{
  const time = (where) => Date.parse(document.querySelector(where + " time")?.dateTime ?? "");
  const late = time("[data-stale]");
  const seen = document.querySelector("[data-last-look]") ? time("[data-last-look]") : time("[data-written]");
  const notice = document.getElementById("stopped");
  const now = Date.now();
  if (notice && now > late) {
    const days = Math.floor((now - seen) / 86400000);
    const age = notice.querySelector("[data-age]");
    if (age && days >= 0) age.textContent = days === 1 ? "1 day" : days + " days";
    notice.hidden = false;
  }
}
`;
