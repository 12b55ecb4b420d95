import assert from "node:assert/strict";
import { test } from "node:test";
import { SvgPen } from "../src/plots/svg.ts";

test("calls of a canvas become shapes of the same place and colour", () => {
  const pen = new SvgPen();
  pen.fillStyle = "#123456";
  pen.fillRect(10, 30, 5, -20);
  pen.save();
  pen.beginPath();
  pen.rect(0, 0, 100, 50);
  pen.clip();
  pen.strokeStyle = "red";
  pen.lineWidth = 2;
  pen.beginPath();
  pen.moveTo(1, 2);
  pen.lineTo(3.456, 4);
  pen.stroke();
  pen.restore();
  pen.translate(5, 6);
  pen.rotate(-Math.PI / 2);
  pen.textAlign = "center";
  pen.fillText("a < b & c", 0, 0);
  const text = pen.text(200, 100, "white");
  assert.match(text, /<svg [^>]*width="200" height="100"/);
  assert.match(text, /<rect x="10" y="10" width="5" height="20" fill="#123456"\/>/);
  assert.match(text, /<clipPath id="c1"><path d="M0 0h100v50h-100z"\/><\/clipPath>/);
  assert.match(text, /<path d="M1 2L3.46 4" fill="none" stroke="red" stroke-width="2" clip-path="url\(#c1\)"\/>/);
  assert.match(text, /transform="translate\(5 6\) rotate\(-90\)">a &lt; b &amp; c<\/text>/);
  // After it is restored, nothing is clipped.
  assert.equal(text.match(/clip-path=/g)?.length, 1);
});
