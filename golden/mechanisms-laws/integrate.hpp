// Gragg's method with extrapolation in extended precision. Discrete memory is frozen within a step; events are found on
// samples of the step and located by repeating the step with another length.
#pragma once
#include <algorithm>
#include <array>
#include <functional>
#include "mechanisms.hpp"

const int MAX_STATE = 6 + 4 * 4;
using State = std::array<real, MAX_STATE>;

struct Episode {
    int contact; std::string region;
    real start = 0, end = -1, speed = 0, depth = 0, peak = 0, impulse = 0, restitution = -1, normal = 0, sliding = 0, seam = 0;
};

class Run {
public:
    const Mechanism& mech;
    std::vector<Memory> memory;
    std::vector<Episode> episodes;
    std::vector<int> current; // open episode of each contact
    State y{};
    real t = 0, tolerance;
    long evaluations = 0, steps = 0;
    int count, size, dim;
    std::string trouble;

    Run(const Mechanism& m, real tol, real nudge) : mech(m), tolerance(tol) {
        count = int(m.laws.size()); size = m.size; dim = 2 * size + 4 * count;
        memory.resize(count); current.assign(count, -1);
        for (int i = 0; i < size; i++) { y[i] = m.q0[i]; y[size + i] = m.v0[i] + nudge * (fabsl(m.v0[i]) + 0.1L); }
    }

    // State: q, v, then per contact: bristle, impulse, normal work, sliding work.
    void derivative(real time, const State& s, State& d) {
        evaluations++;
        real m[3][3] = {}, f[3] = {};
        const real *q = &s[0], *v = &s[size];
        mech.dynamics(time, q, v, m, f);
        for (int i = 0; i < count; i++) {
            int at = 2 * size + 4 * i;
            d[at] = d[at + 1] = d[at + 2] = d[at + 3] = 0;
            if (!memory[i].touching) continue;
            Gap g;
            mech.gap(i, time, q, v, g);
            real normal = mech.laws[i].force(memory[i], g.delta, g.rate);
            const Friction& fr = mech.laws[i].friction;
            real tangent = -normal * fr.coefficient(g.slip, s[at], memory[i].region, memory[i].sign);
            for (int k = 0; k < size; k++) f[k] += -normal * g.n[k] + tangent * g.t[k];
            d[at] = fr.bristle_rate(g.slip, s[at], memory[i].sign);
            d[at + 1] = normal; d[at + 2] = normal * g.rate; d[at + 3] = -tangent * g.slip;
        }
        solve(size, m, f);
        for (int k = 0; k < size; k++) { d[k] = v[k]; d[size + k] = f[k]; }
    }

    static const int ROWS = 8;
    real advance(const State& from, real h, State& to) { // returns the error in units of the tolerance
        State table[ROWS], d0;
        derivative(t, from, d0);
        real error = 0;
        for (int k = 0; k < ROWS; k++) {
            int n = 2 * (k + 1);
            real step = h / n;
            State a = from, b{}, d{};
            for (int i = 0; i < dim; i++) b[i] = from[i] + step * d0[i];
            for (int j = 1; j < n; j++) {
                derivative(t + j * step, b, d);
                for (int i = 0; i < dim; i++) { real next = a[i] + 2 * step * d[i]; a[i] = b[i]; b[i] = next; }
            }
            derivative(t + h, b, d);
            State row;
            for (int i = 0; i < dim; i++) row[i] = (a[i] + b[i] + step * d[i]) / 2;
            State last{};
            for (int j = 0; j <= k; j++) {
                std::swap(row, table[j]);
                if (j == k) break;
                real ratio = real(n) / (2 * (k - j)); // n_k / n_{k-j-1}
                (void)last;
                State next;
                for (int i = 0; i < dim; i++) next[i] = table[j][i] + (table[j][i] - row[i]) / (ratio * ratio - 1);
                if (j == k - 1 && k == ROWS - 1) {
                    error = 0;
                    for (int i = 0; i < dim; i++) {
                        real scale = tolerance * (fabsl(next[i]) + (i < size ? 1e-2L : i < 2 * size ? 0.1L : 1e-2L));
                        if (i < size) scale *= 0.1L;
                        real off = fabsl(next[i] - table[j][i]) / scale;
                        if (!(off <= error)) error = off;
                    }
                }
                row = next;
            }
        }
        to = table[ROWS - 1];
        return error;
    }

    // Guards of contact i: positive while its memory holds.
    void guards(int i, real time, const State& s, std::vector<real>& out) {
        out.clear();
        const Memory& m = memory[i];
        const Law& law = mech.laws[i];
        Gap g;
        mech.gap(i, time, &s[0], &s[size], g);
        if (!m.touching) { out.push_back(m.armed ? -g.delta : g.delta); return; }
        out.push_back(g.delta - law.permanent(m));                                                  // 0 separates
        real push = law.may_pull() ? law.push(m, g.delta, g.rate) : 1;
        out.push_back(m.clamped ? -push : push);                                                    // 1 pulling begins or ends
        if (law.damping.turns()) out.push_back(m.compressing ? g.rate : -g.rate);                   // 2 turns
        else if (law.damping.plastic()) out.push_back(m.loading ? g.rate : m.deepest - g.delta + 3e-18L); // above rounding
        else if (law.damping.id == "lee-wang-transition" && get(law.damping.p, "epsilon", 0) > 0)
            out.push_back((m.loading ? 1 : -1) * (get(law.damping.p, "epsilon", 0) - g.delta));
        else out.push_back(1);
        real low, high;
        mech.limits(i, m.section, low, high);
        out.push_back(g.along - low); out.push_back(high - g.along);                                // 3, 4 sections
        const std::vector<real>& b = law.friction.bounds;
        real speed = m.sign * g.slip;
        if (m.region == 0 && !b.empty()) {
            out.push_back(b[0] - g.slip); out.push_back(b[0] + g.slip);                             // 5, 6 first region
        } else if (!b.empty()) {
            out.push_back(speed - b[m.region - 1]);
            out.push_back(m.region < int(b.size()) ? b[m.region] - speed : 1);
        } else { out.push_back(law.friction.signs ? speed : 1); out.push_back(1); }
    }

    void begin(int i, const Gap& g) {
        Memory& m = memory[i];
        const Law& law = mech.laws[i];
        m = Memory{};
        m.touching = true;
        m.speed = std::max(g.rate, law.floor);
        real low, high;
        for (m.section = 0; m.section + 1 < int(law.elastic.size()); m.section++) {
            mech.limits(i, m.section, low, high);
            if (g.along <= high) break;
        }
        m.sign = g.slip < 0 ? -1 : 1;
        for (real bound : law.friction.bounds) m.region += fabsl(g.slip) > bound;
        real a[3][3] = {}, f[3], x[3];
        mech.dynamics(t, &y[0], &y[size], a, f);
        for (int k = 0; k < size; k++) x[k] = g.n[k];
        solve(size, a, x);
        real inverse = 0;
        for (int k = 0; k < size; k++) inverse += g.n[k] * x[k];
        m.mass = 1 / inverse;
        if (law.may_pull() && law.push(m, 0, g.rate) < 0) m.clamped = true;
        Episode e;
        e.contact = i; e.region = law.elastic.size() > 1 ? law.names[m.section] : mech.places[i];
        e.start = t; e.speed = g.rate;
        int at = 2 * size + 4 * i;
        y[at] = y[at + 1] = y[at + 2] = y[at + 3] = 0;
        current[i] = int(episodes.size());
        episodes.push_back(e);
    }
    void book(int i) {
        Episode& e = episodes[current[i]];
        int at = 2 * size + 4 * i;
        e.impulse = y[at + 1]; e.normal = y[at + 2]; e.sliding = y[at + 3];
    }
    void event(int i, int which) {
        Memory& m = memory[i];
        const Law& law = mech.laws[i];
        Gap g;
        mech.gap(i, t, &y[0], &y[size], g);
        if (!m.touching) {
            if (!m.armed) m.armed = true; else begin(i, g);
            return;
        }
        if (which == 0) {
            book(i);
            episodes[current[i]].end = t;
            episodes[current[i]].restitution = -g.rate / episodes[current[i]].speed;
            current[i] = -1;
            bool armed = law.permanent(m) == 0;
            m = Memory{};
            m.armed = armed;
        } else if (which == 1) m.clamped = !m.clamped;
        else if (which == 2) {
            if (law.damping.plastic()) { if (m.loading) m.deepest = g.delta; m.loading = !m.loading; }
            else if (law.damping.turns()) m.compressing = !m.compressing;
            else m.loading = !m.loading;
        } else if (which <= 4) {
            real before = law.elastic[m.section].energy(g.delta);
            m.section += which == 3 ? -1 : 1;
            episodes[current[i]].seam += law.elastic[m.section].energy(g.delta) - before;
        } else if (!law.friction.bounds.empty()) {
            if (m.region == 0) { m.region = 1; m.sign = which == 5 ? 1 : -1; }
            else m.region += which == 5 ? -1 : 1;
        } else {
            m.sign = -m.sign;
            if (law.friction.id == "coulomb" && t - last_flip < 1e-9L) trouble = "stick";
            last_flip = t;
        }
    }
    real last_flip = -1;

    real force(int i, real time, const State& s, real& depth) {
        Gap g;
        mech.gap(i, time, &s[0], &s[size], g);
        depth = g.delta;
        return mech.laws[i].force(memory[i], g.delta, g.rate);
    }

    // Greatest value of f over (0, h) near the best of three samples.
    real refine(real low, real mid, real high, const std::function<real(real)>& f) {
        const real part = (3 - sqrtl(5.0L)) / 2;
        real x = mid, w = mid, v = mid, fx = f(x), fw = fx, fv = fx, d = 0, e = 0;
        for (int i = 0; i < 60; i++) { // Brent
            real m = (low + high) / 2, tol = 1e-10L * (high - low) + 1e-9L * fabsl(x) + 1e-18L;
            if (fabsl(x - m) <= 2 * tol - (high - low) / 2) break;
            bool golden = true;
            if (fabsl(e) > tol) {
                real r = (x - w) * (fx - fv), q = (x - v) * (fx - fw), p = (x - v) * q - (x - w) * r;
                q = 2 * (q - r);
                if (q > 0) p = -p; else q = -q;
                if (fabsl(p) < fabsl(q * e / 2) && p > q * (low - x) && p < q * (high - x)) { e = d; d = p / q; golden = false; }
            }
            if (golden) { e = x < m ? high - x : low - x; d = part * e; }
            real u = x + (fabsl(d) >= tol ? d : copysignl(tol, d)), fu = f(u);
            if (fu >= fx) { (u < x ? high : low) = x; v = w; fv = fw; w = x; fw = fx; x = u; fx = fu; }
            else {
                (u < x ? low : high) = u;
                if (fu >= fw || w == x) { v = w; fv = fw; w = u; fw = fu; }
                else if (fu >= fv || v == x || v == w) { v = u; fv = fu; }
            }
        }
        return fx;
    }

    void go(real until, real max_step, const std::vector<real>& samples, const std::function<void(real)>& sample) {
        const int PARTS = 3;
        real h = 1e-9L;
        size_t next = 0;
        std::vector<real> stops = mech.stops, values;
        while (t < until && trouble.empty()) {
            real limit = until;
            for (real s : stops) if (s > t * (1 + 1e-18L) && s < limit) limit = s;
            if (next < samples.size()) limit = std::min(limit, samples[next]);
            bool last = false;
            real step = std::min(h, max_step);
            if (t + step >= limit) { step = limit - t; last = true; }
            State end;
            real error = advance(y, step, end);
            real factor = error > 0 ? 0.85L * powl(error, -1.0L / (2 * ROWS - 1)) : 4;
            if (!(factor > 0.1L)) factor = 0.1L;
            if (!(error <= 1)) {
                h = step * std::min(factor, 0.9L);
                if (h < 1e-19L) { trouble = "step collapse"; return; }
                continue;
            }
            steps++;
            if (steps > 400000) { trouble = "too many steps"; return; }
            if (!last || step * factor > h) h = step * std::min(factor, 4.0L);
            // Samples of the step, and the first event.
            State at[PARTS + 1];
            real xs[PARTS + 1];
            at[0] = y; at[PARTS] = end;
            for (int k = 0; k <= PARTS; k++) xs[k] = step * k / PARTS;
            for (int k = 1; k < PARTS; k++) advance(y, xs[k], at[k]);
            real found = step;
            int who = -1, which = -1, part = PARTS;
            for (int k = 1; k <= PARTS && who < 0; k++)
                for (int i = 0; i < count; i++) {
                    guards(i, t + xs[k], at[k], values);
                    for (int g = 0; g < int(values.size()); g++) {
                        if (!(values[g] < 0)) continue;
                        real x = locate(i, g, xs[k - 1], xs[k]);
                        if (who < 0 || x < found) { found = x; who = i; which = g; part = k; }
                    }
                }
            if (who >= 0) {
                if (found > 0) advance(y, found, end); else end = y;
                xs[part] = found; at[part] = end;
            }
            for (int i = 0; i < count; i++) {
                if (!memory[i].touching) continue;
                Episode& e = episodes[current[i]];
                real depth[PARTS + 1], f[PARTS + 1];
                for (int k = 0; k <= part; k++) f[k] = force(i, t + xs[k], at[k], depth[k]);
                auto greatest = [&](const real* value, real& record, bool of_force) {
                    auto at_place = [&](real x) {
                        State s; real d;
                        advance(y, x, s);
                        real there = force(i, t + x, s, d);
                        return of_force ? there : d;
                    };
                    for (int k = 0; k <= part; k++) record = std::max(record, value[k]);
                    for (int k = 0; k <= part && xs[part] > 0; k++) {
                        if (value[k] < 0.9L * record || (k > 0 && value[k] < value[k - 1]) || (k < part && value[k] < value[k + 1])) continue;
                        real low = xs[std::max(k - 1, 0)], high = xs[std::min(k + 1, part)], inside = xs[k];
                        if (k == 0) inside = 1e-5L * high;
                        if (k == part) inside = high - 1e-5L * (high - low);
                        if ((k == 0 || k == part) && at_place(inside) <= value[k]) continue; // the greatest is at the end
                        record = std::max(record, refine(low, inside, high, at_place));
                    }
                };
                greatest(f, e.peak, true);
                greatest(depth, e.depth, false);
            }
            y = end;
            t = who < 0 && last ? limit : t + found;
            if (who >= 0) {
                event(who, which);
                h = std::min(h, 1e-10L);
                for (int round = 0; round < 8; round++) // whatever changes in the same instant
                    for (int i = 0; i < count; i++) {
                        if (i == who) continue;
                        guards(i, t, y, values);
                        for (int g = 0; g < int(values.size()); g++)
                            if (values[g] < 0 || (g == 0 && !memory[i].touching && values[g] < 1e-19L && falling(i))) { event(i, g); break; }
                    }
            }
            if (next < samples.size() && t >= samples[next]) { sample(samples[next]); next++; }
        }
        for (int i = 0; i < count; i++) if (current[i] >= 0) book(i);
    }

private:
    bool falling(int i) { Gap g; mech.gap(i, t, &y[0], &y[size], g); return g.rate > 0; }

    real locate(int i, int g, real low, real high) {
        std::vector<real> values;
        auto value = [&](real x) {
            State s;
            if (x <= 0) s = y; else advance(y, x, s);
            guards(i, t + x, s, values);
            return values[g];
        };
        real a = low, b = high, fa = value(a), fb = value(b);
        if (fa <= 0) return a;
        for (int k = 0; k < 200 && b - a > 1e-19L * t + 1e-21L; k++) { // Illinois, with bisection now and then
            real x = k % 4 == 3 ? (a + b) / 2 : (a * fb - b * fa) / (fb - fa);
            if (!(x > a && x < b)) x = (a + b) / 2;
            if (x <= a || x >= b) break;
            real f = value(x);
            if (f > 0) { a = x; fa = f; if (k % 4 != 3) fb /= 2; } else { b = x; fb = f; if (k % 4 != 3) fa /= 2; }
            if (f == 0) break;
        }
        return b;
    }
};
