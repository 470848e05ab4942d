"use strict";

// Two loops: pictures come one after another, as fast as they are drawn and shown; the rest is asked for four
// times a second.

const element = (id) => document.getElementById(id);
const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
const number = (value) =>
  Math.abs(value) >= 1e5 ? value.toExponential(2) : String(Number(value.toPrecision(4)));

let status = null;
let asked = 0;
let answered = 0;
let dragging = false;
let wanted = null; // the step that the slider was moved to, until it is asked for
let going = false; // whether it is being asked for

async function order(what, value = null) {
  await fetch("order", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ what, value }),
  });
  await refresh();
}

async function pictures() {
  const image = element("mosaic");
  let shown = 0;
  for (;;) {
    try {
      const answer = await fetch(`frame?after=${shown}`);
      if (answer.status === 200) {
        shown = Number(answer.headers.get("X-Frame-Number"));
        const before = image.src;
        image.src = URL.createObjectURL(await answer.blob());
        await image.decode();
        if (before) URL.revokeObjectURL(before);
      } else if (answer.status !== 204) {
        await wait(1000);
      }
    } catch {
      await wait(1000);
    }
  }
}

async function refresh() {
  const question = ++asked;
  try {
    const answer = await fetch("status");
    if (!answer.ok) throw new Error(answer.statusText);
    const found = await answer.json();
    if (question < answered) return; // a later question was answered before
    answered = question;
    status = found;
  } catch {
    say("The command has ended, or cannot be reached.");
    return;
  }
  show();
}

function say(error) {
  element("error").hidden = !error;
  element("error").textContent = error ?? "";
}

function show() {
  document.title = `${status.id} · ParallelPool`;
  element("id").textContent = status.id;
  element("facts").textContent =
    `${status.num_envs} environments, step ${status.step}` + (status.paused ? ", paused" : "");
  say(status.error);
  element("play").textContent = status.paused ? "Play" : "Pause";
  speeds(status.target);
  element("no_states").hidden = status.no_states === null;
  element("no_states").textContent = status.no_states ?? "";
  element("history").hidden = status.first === null;
  if (status.first !== null) {
    const slider = element("moment");
    slider.min = status.first;
    slider.max = status.furthest;
    if (!dragging && !going) {
      slider.value = status.step;
      element("at").textContent = status.step;
    }
  }
  const last = (list) => list[list.length - 1];
  const mean = (list) => list.reduce((sum, each) => sum + each, 0) / list.length;
  const returns = status.episodes.flatMap(([step, , total, , players]) =>
    (players.length ? players : [total]).map((each) => [step, each]));
  const lengths = status.episodes.map(([step, , , length]) => [step, length]);
  element("speed_now").textContent = status.speeds.length ? number(last(status.speeds)[1]) : "";
  for (const [id, points] of [["return_now", returns], ["length_now", lengths]]) {
    element(id).textContent = points.length ? `mean ${number(mean(points.map(([, y]) => y)))}` : "";
  }
  plot(element("speeds"), status.speeds, true, " s");
  plot(element("returns"), returns, false, "");
  plot(element("lengths"), lengths, false, "");
}

function speeds(target) {
  const select = element("speed");
  const known = [1, 5, 15, 30, 60, 120, 0];
  const all = known.includes(target) ? known : [target, ...known];
  if (select.options.length !== all.length) {
    select.replaceChildren(
      ...all.map((each) => new Option(each === 0 ? "as fast as it goes" : `${each} steps/s`, each)),
    );
  }
  if (document.activeElement !== select) select.value = String(target);
}

// Points [x, y], joined or not, with the smallest and largest value at the axes.
function plot(canvas, points, joined, unit) {
  const scale = window.devicePixelRatio || 1;
  const width = canvas.clientWidth;
  const height = canvas.clientHeight;
  canvas.width = width * scale;
  canvas.height = height * scale;
  const pen = canvas.getContext("2d");
  pen.scale(scale, scale);
  pen.font = "11px system-ui, sans-serif";
  const style = getComputedStyle(document.documentElement);
  pen.fillStyle = style.getPropertyValue("--soft");
  if (points.length === 0) {
    pen.fillText("none yet", 6, height / 2);
    return;
  }
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  const lowest = joined ? 0 : Math.min(...ys);
  const highest = Math.max(...ys);
  const [first, end] = [Math.min(...xs), Math.max(...xs)];
  const left = 46;
  const bottom = height - 18;
  const x = (value) => left + ((value - first) / (end - first || 1)) * (width - left - 8);
  const y = (value) => bottom - ((value - lowest) / (highest - lowest || 1)) * (bottom - 10);
  pen.fillText(number(highest), 2, 14);
  pen.fillText(number(lowest), 2, bottom);
  pen.fillText(number(first) + unit, left, height - 4);
  const text = number(end) + unit;
  pen.fillText(text, width - 8 - pen.measureText(text).width, height - 4);
  pen.strokeStyle = style.getPropertyValue("--line");
  pen.strokeRect(left - 4, 6, width - left, bottom - 2);
  if (joined) {
    pen.strokeStyle = style.getPropertyValue("--mark");
    pen.lineWidth = 1.5;
    pen.beginPath();
    for (const point of points) pen.lineTo(x(point[0]), y(point[1]));
    pen.stroke();
  } else {
    pen.fillStyle = style.getPropertyValue("--dot");
    for (const point of points) {
      pen.beginPath();
      pen.arc(x(point[0]), y(point[1]), 2, 0, 2 * Math.PI);
      pen.fill();
    }
  }
}

element("play").addEventListener("click", () => order(status?.paused ? "play" : "pause"));
element("step").addEventListener("click", () => order("step"));
element("speed").addEventListener("change", (event) => {
  event.target.blur();
  order("speed", Number(event.target.value));
});
element("moment").addEventListener("input", async (event) => {
  dragging = true;
  element("at").textContent = event.target.value;
  wanted = Number(event.target.value);
  if (going) return; // one at a time, and always the newest
  going = true;
  while (wanted !== null) {
    const step = wanted;
    wanted = null;
    await order("go_to", step).catch(() => {}); // refresh says what is wrong
  }
  going = false;
});
element("moment").addEventListener("change", () => {
  dragging = false;
});

pictures();
refresh();
setInterval(refresh, 250);
