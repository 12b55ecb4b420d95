// The mechanisms in minimal coordinates: q, rates v, and what every contact sees.
#pragma once
#include "laws.hpp"

// Gap of one contact: indentation, its rate, slip (of body b on body a) and the gradients of both rates in v.
struct Gap { real delta = 0, rate = 0, slip = 0, along = 0; real n[3] = {}, t[3] = {}; };

struct Mechanism {
    int size = 1;
    std::vector<Law> laws;            // one per contact
    std::vector<std::string> places;  // of contacts
    std::vector<real> stops;          // instants at which a load is not smooth
    real q0[3] = {}, v0[3] = {};
    virtual ~Mechanism() = default;
    // Mass matrix and right-hand side without contacts: M q̈ = Q.
    virtual void dynamics(real t, const real* q, const real* v, real m[3][3], real* force) const = 0;
    virtual void gap(int contact, real t, const real* q, const real* v, Gap& g) const = 0;
    // Section limits of a slot along `along`: the current section is left below the first or above the second.
    virtual void limits(int, int, real& low, real& high) const { low = -1e9L; high = 1e9L; }
    virtual std::vector<std::pair<std::string, real>> channels(real t, const real* q, const real* v, const real* acc) const = 0;
};

inline void solve(int n, real m[3][3], real* b) { // symmetric, positive
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++) {
            real f = m[i][k] / m[k][k];
            for (int j = k; j < n; j++) m[i][j] -= f * m[k][j];
            b[i] -= f * b[k];
        }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) b[i] -= m[i][j] * b[j];
        b[i] /= m[i][i];
    }
}

struct Setup { // how a case changes the model
    std::string elastic, damping, friction;
    Params p;                                  // parameters of the law
    std::map<std::string, Params> sections;    // overrides per region
    bool adhesive = false;
};

inline Law make_law(const Setup& s, const std::vector<std::pair<std::string, Surface>>& sections) {
    Law law;
    for (const auto& [name, surface] : sections) {
        Params p = s.p;
        auto found = s.sections.find(name);
        if (found != s.sections.end()) for (const auto& [key, value] : found->second) p[key] = value;
        law.elastic.emplace_back(s.elastic, surface, p);
        law.names.push_back(name);
    }
    Params own = s.p;
    own["young"] = sections[0].second.young; own["poisson"] = sections[0].second.poisson;
    law.damping = Damping(s.damping, own);
    law.friction = Friction(s.friction, s.p);
    law.adhesive = s.adhesive;
    law.floor = get(s.p, "impact_speed_floor", 1e-6L);
    return law;
}

// M2: q = heights of hole and pin (or of the pin alone); the pin moves down the y axis. Two walls of one bore: the
// journal touches at its bottom and at its top.
struct PinInBore : Mechanism {
    bool fixed;
    real c = 5e-3L - 4.75e-3L;
    PinInBore(const Setup& s, bool fixed_) : fixed(fixed_) {
        size = fixed ? 1 : 2;
        v0[size - 1] = -0.2L;
        Surface f{c, 5e-3L * 4.75e-3L / c, get(s.p, "length", 15e-3L), 210e9L, 0.3L};
        for (int i = 0; i < 2; i++) { laws.push_back(make_law(s, {{"bearing", f}})); places.push_back("bearing"); }
    }
    void dynamics(real, const real*, const real*, real m[3][3], real* f) const override {
        if (!fixed) m[0][0] = 37.6e-3L;
        m[size - 1][size - 1] = 8.29e-3L;
        f[0] = f[1] = 0;
    }
    void gap(int i, real, const real* q, const real* v, Gap& g) const override {
        real side = i == 0 ? -1 : 1;
        g.delta = side * (q[size - 1] - (fixed ? 0 : q[0])) - c;
        g.rate = side * (v[size - 1] - (fixed ? 0 : v[0]));
        g.n[size - 1] = side;
        if (!fixed) g.n[0] = -side;
    }
    std::vector<std::pair<std::string, real>> channels(real, const real* q, const real* v, const real*) const override {
        return {{"shaft.y", q[size - 1]}, {"shaft.vy", v[size - 1]}};
    }
};

// M3: q = (rod angle φ, slider x − r − l); the crank angle is ωt. Differences of large numbers are avoided: 1 − cos a = 2 sin²(a/2).
struct SliderCrank : Mechanism {
    real r = 0.05L, l = 0.3L, m = 1.13L, j = 0.0153L, ms = 1.013L, w = 20 * PI / 3, rb = 10.25e-3L, rj = 10e-3L;
    explicit SliderCrank(const Setup& s) {
        size = 2;
        v0[0] = -r * w / l;
        rb = rj + get(s.p, "clearance", rb - rj);
        Surface f{rb - rj, rb * rj / (rb - rj), get(s.p, "length", 0), 207e9L, 0.3L};
        laws.push_back(make_law(s, {{"bearing", f}}));
        places = {"bearing"};
    }
    real offset(real t, const real* q) const { // journal from bearing along x
        real a = sinl(w * t / 2), b = sinl(q[0] / 2);
        return q[1] + 2 * r * a * a + 2 * l * b * b;
    }
    void dynamics(real t, const real* q, const real* v, real mm[3][3], real* f) const override {
        (void)v;
        mm[0][0] = j + m * l * l / 4; mm[1][1] = ms;
        real ax = -w * w * r * cosl(w * t), ay = -w * w * r * sinl(w * t);
        f[0] = -m * l / 2 * (-sinl(q[0]) * ax + cosl(q[0]) * ay);
        f[1] = 0;
    }
    void gap(int, real t, const real* q, const real* v, Gap& g) const override {
        real c = cosl(q[0]), s = sinl(q[0]), ct = cosl(w * t), st = sinl(w * t);
        real ex = offset(t, q), ey = -r * st - l * s, e = hypotl(ex, ey);
        real vx = v[1] + r * w * st + l * s * v[0], vy = -r * w * ct - l * c * v[0];
        real ux = e > 0 ? ex / e : 1, uy = e > 0 ? ey / e : 0, tx = -uy, ty = ux;
        g.delta = e - (rb - rj);
        g.rate = ux * vx + uy * vy;
        g.n[0] = ux * l * s - uy * l * c; g.n[1] = ux;
        // The bearing's own point at B + rb u moves with Ḃ + φ̇ rb τ.
        g.slip = tx * vx + ty * vy - rb * v[0];
        g.t[0] = tx * l * s - ty * l * c - rb; g.t[1] = tx;
    }
    std::vector<std::pair<std::string, real>> channels(real t, const real* q, const real* v, const real* acc) const override {
        real c = cosl(q[0]), s = sinl(q[0]), ct = cosl(w * t), st = sinl(w * t), h = l / 2;
        real gx = -w * w * r * ct - h * (s * acc[0] + c * v[0] * v[0]), gy = -w * w * r * st + h * (c * acc[0] - s * v[0] * v[0]);
        // Force F of the rod on the slider at C: its x part is the slider's, its y part follows from moments about the crank pin P.
        real ex = offset(t, q), ey = -r * st - l * s, e = hypotl(ex, ey), x = l * c + rb * ex / e, y = l * s + rb * ey / e;
        real fx = ms * acc[1], about = (j + m * h * h) * acc[0] - m * h * w * w * r * (-s * ct + c * st), fy = (y * fx - about) / x;
        if (e < rb - rj) fy = 0;
        // The crank turns evenly: the motor balances the force on the rod at P.
        real torque = r * ct * (m * gy + fy) - r * st * (m * gx + fx);
        return {{"slider.x", q[1] + r + l}, {"slider.vx", v[1]}, {"slider.ax", acc[1]}, {"rod.angle", q[0]}, {"rod.omega", v[0]}, {"motor.torque", torque}};
    }
};

// M4: q = displacement and angle of the plate; the pin is the origin. A slot whose ends coincide is the bore.
struct PinSlot : Mechanism {
    real m, j, px, py, len, rp = 2.45e-3L, rw = 2.5e-3L, free_length, tf = 39.1e-3L;
    PinSlot(const Setup& s, bool slot) {
        size = 3;
        m = slot ? 32.54e-3L : 32.74e-3L; j = slot ? 20.94e-6L : 21.40e-6L;
        px = -49e-3L; py = slot ? 0.0765e-3L : 0.076e-3L; len = slot ? 2e-3L : 0;
        free_length = hypotl(-px + 20e-3L - 29e-3L, -py) - 8e-3L;
        real c = rw - rp, length = get(s.p, "length", 0);
        Surface arc{c, rw * rp / c, length, 69e9L, 0.35L}, flat{rp, rp, length, 69e9L, 0.35L};
        if (slot) laws.push_back(make_law(s, {{"end", arc}, {"flat", flat}, {"end", arc}}));
        else laws.push_back(make_law(s, {{"bearing", arc}}));
        places = {"slot"};
        stops = {tf};
    }
    void dynamics(real t, const real* q, const real* v, real mm[3][3], real* f) const override {
        (void)v;
        mm[0][0] = mm[1][1] = m; mm[2][2] = j;
        real c = cosl(q[2]), s = sinl(q[2]);
        real push = t < tf ? 1.6L * sinl(PI * t / tf) : 0, arm = 10e-3L; // at (0, 10 mm) of the body
        f[0] = push; f[1] = 0; f[2] = -(c * arm) * push;
        real ax = c * 20e-3L, ay = s * 20e-3L, dx = 29e-3L + px - q[0] - ax, dy = py - q[1] - ay, d = hypotl(dx, dy);
        real tension = 100 * (d - free_length), fx = tension * dx / d, fy = tension * dy / d;
        f[0] += fx; f[1] += fy; f[2] += ax * fy - ay * fx;
    }
    void gap(int, real, const real* q, const real* v, Gap& g) const override {
        real c = cosl(q[2]), s = sinl(q[2]);
        real x = q[0] - px, y = q[1] - py, half = sinl(q[2] / 2), rise = 2 * half * half; // 1 − cos θ
        // Pin centre in the frame of the plate, from the first end of the slot.
        g.along = -(c * q[0] + s * q[1]) - px * rise + s * py;
        real ey = s * q[0] - c * q[1] - s * px - py * rise;
        real near = g.along < 0 ? 0 : g.along > len ? len : g.along;
        real ex = g.along - near, e = hypotl(ex, ey);
        real lx = e > 0 ? ex / e : 0, ly = e > 0 ? ey / e : 1;
        real ux = c * lx - s * ly, uy = s * lx + c * ly; // towards the wall, world
        g.delta = e - (rw - rp);
        // Plate at the pin centre moves with v + ω×(−r); it comes nearer against u.
        g.n[0] = -ux; g.n[1] = -uy; g.n[2] = -(ux * y - uy * x);
        g.rate = g.n[0] * v[0] + g.n[1] * v[1] + g.n[2] * v[2];
        real tx = -uy, ty = ux, cx = rp * ux - x, cy = rp * uy - y; // contact point from the centre of mass
        // Slip of the pin on the plate: minus the plate's velocity there.
        g.t[0] = -tx; g.t[1] = -ty; g.t[2] = -(-tx * cy + ty * cx);
        g.slip = g.t[0] * v[0] + g.t[1] * v[1] + g.t[2] * v[2];
    }
    void limits(int, int section, real& low, real& high) const override {
        if (len == 0) { low = -1e9L; high = 1e9L; return; }
        low = section == 0 ? -1e9L : section == 1 ? 0 : len;
        high = section == 0 ? 0 : section == 1 ? len : 1e9L;
    }
    std::vector<std::pair<std::string, real>> channels(real, const real* q, const real* v, const real*) const override {
        return {{"plate.x", q[0] - px}, {"plate.y", q[1] - py}, {"plate.angle", q[2]}, {"plate.vx", v[0]}, {"plate.vy", v[1]}, {"plate.omega", v[2]}};
    }
};

// M5: q = X of the slider; contacts on the outer and on the inner track.
struct ScotchYoke : Mechanism {
    real r = 50e-3L, w = 24 * PI, start = -31 * PI / 180, track = 60e-3L, c = 0.1e-3L, m = 2.353L;
    explicit ScotchYoke(const Setup& s) {
        real y = r * sinl(start), x = r * cosl(start), root = sqrtl(track * track - y * y);
        q0[0] = x + root;
        v0[0] = -y * w - y * x * w / root;
        for (const char* name : {"outer", "inner"}) { laws.push_back(make_law(s, {{name, Surface{}}})); places.push_back(name); }
    }
    void dynamics(real, const real*, const real*, real mm[3][3], real* f) const override { mm[0][0] = m; f[0] = 0; }
    void gap(int i, real t, const real* q, const real* v, Gap& g) const override {
        real a = start + w * t, x = r * cosl(a) - q[0], y = r * sinl(a), d = hypotl(x, y), side = i == 0 ? 1 : -1;
        g.delta = side * (d - track) - c;
        g.rate = side * (x * (-r * sinl(a) * w - v[0]) + y * r * cosl(a) * w) / d;
        g.n[0] = -side * x / d;
    }
    std::vector<std::pair<std::string, real>> channels(real t, const real* q, const real* v, const real* acc) const override {
        // The pin's force on the slider is along the line pin - C; its x part is m Ẍ.
        real a = start + w * t, x = r * cosl(a) - q[0], y = r * sinl(a), fx = m * acc[0], fy = fx * y / x;
        return {{"slider.x", q[0]}, {"slider.vx", v[0]}, {"slider.ax", acc[0]}, {"motor.torque", r * cosl(a) * fy - r * sinl(a) * fx}};
    }
};

// M7: q = angles of crank, rod and slider.
struct PrismaticPlay : Mechanism {
    real l1 = 0.153L, l2 = 0.306L, m1 = 0.038L, m2 = 0.038L, m3 = 0.076L, j1 = 7.4e-5L, j2 = 5.9e-4L, j3 = 2.7e-6L, g9 = 9.81L;
    explicit PrismaticPlay(const Setup& s) {
        size = 3;
        v0[0] = 150; v0[1] = -75;
        const char* names[] = {"lower rear", "lower front", "upper rear", "upper front"};
        for (int i = 0; i < 4; i++) { laws.push_back(make_law(s, {{"corner", Surface{}}})); places.push_back(names[i]); }
    }
    void dynamics(real, const real* q, const real* v, real mm[3][3], real* f) const override {
        real c = cosl(q[0] - q[1]), s = sinl(q[0] - q[1]), cross = (m2 / 2 + m3) * l1 * l2;
        mm[0][0] = j1 + m1 * l1 * l1 / 4 + (m2 + m3) * l1 * l1;
        mm[1][1] = j2 + m2 * l2 * l2 / 4 + m3 * l2 * l2;
        mm[0][1] = mm[1][0] = cross * c;
        mm[2][2] = j3;
        f[0] = -cross * s * v[1] * v[1] - g9 * l1 * cosl(q[0]) * (m1 / 2 + m2 + m3);
        f[1] = cross * s * v[0] * v[0] - g9 * l2 * cosl(q[1]) * (m2 / 2 + m3);
        f[2] = 0;
    }
    void gap(int i, real, const real* q, const real* v, Gap& g) const override {
        real lx = i % 2 == 0 ? -0.05L : 0.05L, side = i < 2 ? -1 : 1, ly = side * 0.025L;
        real c = cosl(q[2]), s = sinl(q[2]);
        real y = l1 * sinl(q[0]) + l2 * sinl(q[1]) + s * lx + c * ly;
        g.delta = side * y - 0.026L;
        g.n[0] = side * l1 * cosl(q[0]); g.n[1] = side * l2 * cosl(q[1]); g.n[2] = side * (c * lx - s * ly);
        g.t[0] = -l1 * sinl(q[0]); g.t[1] = -l2 * sinl(q[1]); g.t[2] = -s * lx - c * ly;
        for (int k = 0; k < 3; k++) { g.rate += g.n[k] * v[k]; g.slip += g.t[k] * v[k]; }
    }
    std::vector<std::pair<std::string, real>> channels(real, const real* q, const real* v, const real*) const override {
        return {{"crank.angle", q[0]}, {"rod.angle", q[1]}, {"slider.angle", q[2]}, {"crank.omega", v[0]}, {"rod.omega", v[1]}, {"slider.omega", v[2]}};
    }
};
