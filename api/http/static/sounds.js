// Optional sounds: my turn, dice, pieces, the end. They are synthesised; nothing is downloaded. Browsers allow sound
// only after the first interaction with the page.
(function () {
  "use strict";
  var LOUD = 0.16, root = document.documentElement, context = null;
  // Pitch in hertz, start and length in seconds; pitch 0 is the rattle of a small object on wood.
  var SOUNDS = {
    turn: [[587, 0, 0.16], [880, 0.14, 0.34]],
    dice: [[0, 0, 0.05], [0, 0.07, 0.04], [0, 0.13, 0.05], [0, 0.21, 0.06]],
    piece: [[0, 0, 0.03], [196, 0, 0.09]],
    end: [[523, 0, 0.2], [659, 0.16, 0.2], [784, 0.32, 0.5]]
  };
  function wants(sound) { return root.dataset.sound === "all" || (root.dataset.sound === "turn" && sound === "turn"); }

  function wake() {
    if (!window.AudioContext || !root.dataset.sound) return;
    context = context || new AudioContext();
    if (context.state === "suspended") context.resume();
  }
  document.addEventListener("pointerdown", wake, true);
  document.addEventListener("keydown", wake, true);

  function rattle(seconds) {
    var buffer = context.createBuffer(1, Math.ceil(context.sampleRate * seconds), context.sampleRate), wave = buffer.getChannelData(0);
    for (var index = 0; index < wave.length; index += 1) wave[index] = Math.random() * 2 - 1;
    var source = context.createBufferSource(), filter = context.createBiquadFilter();
    source.buffer = buffer;
    filter.type = "bandpass";
    filter.frequency.value = 1800;
    source.connect(filter);
    return { source: source, end: filter };
  }
  function tone(pitch) {
    var source = context.createOscillator();
    source.type = "triangle";
    source.frequency.value = pitch;
    return { source: source, end: source };
  }
  function play(sound) {
    if (!context || context.state === "closed") return;
    SOUNDS[sound].forEach(function (note) {
      var made = note[0] ? tone(note[0]) : rattle(note[2]), gain = context.createGain(), at = context.currentTime + note[1];
      gain.gain.setValueAtTime(LOUD, at);
      gain.gain.exponentialRampToValueAtTime(0.001, at + note[2]);
      made.end.connect(gain).connect(context.destination);
      made.source.start(at);
      made.source.stop(at + note[2]);
    });
    document.dispatchEvent(new CustomEvent("esporles:sounded", { detail: { sound: sound } }));
  }
  function hear(sound) { if (wants(sound)) play(sound); }
  document.addEventListener("esporles:turn", function () { hear("turn"); });

  // At a table: compare its dice and pieces, ignoring marks on them.
  var MARKS = / (class|role|tabindex|aria-[a-z]+|data-marked)="[^"]*"/g;
  function seen(sound) {
    return Array.from(document.querySelectorAll('[data-heard="' + sound + '"]'), function (part) { return part.innerHTML.replace(MARKS, ""); }).join("");
  }
  function look() { return { dice: seen("dice"), piece: seen("piece"), end: Boolean(document.querySelector("#actions .result")) }; }
  var before = root.dataset.sound === "all" ? look() : null;
  document.addEventListener("esporles:shown", function () {
    if (root.dataset.sound !== "all") return;
    var now = look(), was = before || now;
    before = now;
    if (now.end && !was.end) hear("end");
    else if (now.dice !== was.dice) hear("dice");
    else if (now.piece !== was.piece) hear("piece");
  });

  // The page of preferences plays them whatever is selected.
  document.addEventListener("click", function (event) {
    var button = event.target.closest("[data-try]");
    if (!button || !window.AudioContext) return;
    context = context || new AudioContext();
    context.resume().then(function () { play(button.dataset.try); });
  });
})();
