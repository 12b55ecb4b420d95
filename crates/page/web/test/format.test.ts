import assert from "node:assert/strict";
import test from "node:test";
import { clock, number, pace, percent, prettyUnit, quantity, scaleOf } from "../src/format.ts";

const plain = (text: string): string => text.replace(/\u00a0|\u202f/g, " ").replace(/\u2212/g, "-");

test("exact_quantities are written as people write them", () => {
  const cases: [number | null, string, string][] = [
    [0.00025, "m", "0.25 mm"],
    [12345, "N", "12.3 kN"],
    [6.87e-6, "m", "6.87 µm"],
    [0.1129, "m/s", "113 mm/s"],
    [1920.2, "N", "1.92 kN"],
    [0, "N", "0 N"],
    [null, "N", "–"],
    [NaN, "m", "–"],
    [-0.0031, "s", "-3.1 ms"],
    [0.6, "s", "600 ms"],
    [1500, "m", "1500 m"],
    [271.4, "m/s^2", "271 m/s²"],
    [9.08e-3, "J", "9.08 mJ"],
    [0.9999, "N", "1 N"],
    [999.96, "N", "1 kN"],
    [0.00009, "m", "90 µm"],
    [3, "N m", "3 N·m"],
    [0.46, "1", "0.46"],
    [207e9, "Pa", "207 GPa"],
    [2.06e-10, "J", "0.206 nJ"],
    [6.3e-13, "J", "6.3·10⁻¹³ J"],
  ];
  for (const [x, unit, text] of cases) assert.equal(plain(quantity(x, unit)), text, `${x} ${unit}`);
});

test("exact_plain numbers", () => {
  const cases: [number, string][] = [
    [18497, "18 497"],
    [284526, "284 526"],
    [1234, "1234"],
    [2.02e-10, "2.02·10⁻¹⁰"],
    [0.001, "0.001"],
    [-4.5, "-4.5"],
    [6.61e10, "6.61·10¹⁰"],
    [Infinity, "∞"],
    [1 / 3, "0.333"],
    [100, "100"],
  ];
  for (const [x, text] of cases) assert.equal(plain(number(x)), text);
  assert.equal(number(0.25, 3, true), "0.250");
});

test("property_a quantity read back is the number to its digits", () => {
  const factors: Record<string, number> = { n: 1e-9, µ: 1e-6, m: 1e-3, "": 1, k: 1e3, M: 1e6, G: 1e9 };
  for (let i = 0; i < 2000; i++) {
    const x = 10 ** (-8 + (i / 2000) * 17);
    const match = /^([\d. ]+) ([nµmkMG]?)N$/.exec(plain(quantity(x, "N", 4)));
    assert.ok(match, String(x));
    const back = Number(match[1].replace(/ /g, "")) * factors[match[2]];
    assert.ok(Math.abs(back / x - 1) < 6e-4, `${x} ${back}`);
  }
});

test("exact_units, scales, clocks", () => {
  assert.equal(prettyUnit("N/m^1.5"), "N/m^1.5");
  assert.equal(prettyUnit("kg m^2"), "kg·m²");
  assert.equal(prettyUnit("-"), "");
  assert.deepEqual(scaleOf(0.004, "N m"), { factor: 1e-3, unit: "mN·m" });
  assert.equal(plain(clock(0.0123, 0.6)), "12.300 ms");
  assert.equal(plain(percent(0.8647)), "86 %");
  assert.equal(pace(0.002), "1/500");
});
