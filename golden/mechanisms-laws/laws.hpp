// Contact laws in extended precision, written from their published formulas.
#pragma once
#include <cmath>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

using real = long double;
using Params = std::map<std::string, real>;
const real PI = acosl(-1.0L);

inline real need(const Params& p, const std::string& key) {
    auto found = p.find(key);
    if (found == p.end()) throw std::runtime_error("no parameter " + key);
    return found->second;
}
inline real get(const Params& p, const std::string& key, real other) {
    auto found = p.find(key);
    return found == p.end() ? other : found->second;
}

// Geometry and material of one contact. gap: ΔR, radius: R_i R_j/ΔR (pin radius on a plane).
struct Surface { real gap = 0, radius = 0, length = 0, young = 0, poisson = 0; };

// F_el(δ); power laws have stiffness and exponent. Below δ = 0 it is continued oddly: trial steps only.
struct Elastic {
    std::string id;
    real k = 0, n = 0;
    real a = 0, b = 0, c = 0, length = 0; // δ = (f/a)(ln(b/f) + c)
    real modulus = 0, gap = 0;
    bool power = false;

    Elastic() = default;
    Elastic(const std::string& name, const Surface& s, const Params& p) : id(name) {
        length = s.length; gap = get(p, "clearance", s.gap);
        real h = s.young > 0 ? (1 - s.poisson * s.poisson) / s.young : 0;
        modulus = h > 0 ? 1 / (2 * h) : 0;
        real e = modulus, mm = 1e-3L;
        auto log_law = [&](real a_, real b_, real c_) { a = a_; b = b_; c = c_; };
        if (id == "hertz") { power = true; n = 1.5L; k = get(p, "stiffness", 4 * e * sqrtl(s.radius) / 3); }
        else if (id == "linear") { power = true; n = 1; k = need(p, "stiffness"); }
        else if (id == "power") { power = true; n = need(p, "exponent"); k = need(p, "stiffness"); }
        else if (id == "lankarani-nikravesh-cylinder") {
            power = true; n = get(p, "exponent", 1.5L);
            real mpa = 4.0L / 3 * (e * 1e-6L) * sqrtl(s.radius / mm) * (get(p, "pi", 0) > 0 ? PI : 1.0L);
            k = mpa * powl(1000.0L, n); // N/mm^n -> N/m^n
        } else if (id == "pereira" || id == "pereira-2014") {
            power = true;
            real d = gap / mm, y, aa, bb;
            if (id == "pereira") {
                aa = 0.965L; bb = 0.0965L;
                y = d <= 0.34954L ? 1.51L * powl(logl(1000 * d), -0.151L) : 0.0151L * d + 1.151L;
            } else {
                aa = 0.49L; bb = 0.10L;
                y = d <= 0.75L ? 1.56L * powl(logl(1000 * d), -0.192L) : 0.0028L * d + 1.1083L;
            }
            n = y * powl(d, -0.005L);
            k = (aa * d + bb) * (length / mm) * (e * 1e-6L) / d * powl(1000.0L, n);
        } else if (id == "hertz-cylinder") log_law(PI * e / 2, PI * e * gap, -1);
        else if (id == "johnson") log_law(PI * e, 4 * PI * e * gap, -1);
        else if (id == "radzimovsky") log_law(PI * e, 8 * gap * s.young / (2.15L * 2.15L), 2.0L / 3); // equal materials
        else if (id == "goldsmith") log_law(PI * e, mm * mm * PI * e / s.radius, 1);
        else if (id == "goldsmith-printed") log_law(e, mm * mm * e / s.radius, 1);
        else if (id == "dubowsky-freudenstein") log_law(PI * e, PI * e * length * length / s.radius, 1);
        else if (id == "dubowsky-freudenstein-printed") log_law(e, e * length * length / s.radius, 1);
        else if (id == "esdu-78035") log_law(PI * e, 4 * PI * e * gap, 1);
        else if (id == "esdu-78035-printed") log_law(e, 4 * e * gap, 1);
        else if (id != "bai-zhao" && id != "bai-zhao-length" && id != "liu" && id != "persson")
            throw std::runtime_error("elastic law " + id);
        if ((a > 0 || id == "liu" || id == "persson" || id == "bai-zhao-length" || id.rfind("pereira", 0) == 0) && !(length > 0))
            throw std::runtime_error("no length");
    }

    real line_load(real delta) const { // Newton on the logarithmic law, below 0.99 of its limit
        real limit = 0.99L * b * expl(c - 1), at = limit / a * (logl(b / limit) + c);
        if (delta >= at) return limit + (delta - at) * a / (logl(b / limit) + c - 1);
        real f = limit * delta / at * 0.5L;
        for (int i = 0; i < 200; i++) {
            real next = f - (f / a * (logl(b / f) + c) - delta) * a / (logl(b / f) + c - 1);
            if (!(next > 0)) next = f / 4;
            if (next > limit) next = (f + limit) / 2;
            bool done = fabsl(next - f) <= 4e-19L * f;
            f = next;
            if (done) break;
        }
        return f;
    }
    real force(real delta) const {
        if (delta < 0) return -force(-delta);
        if (delta == 0) return 0;
        if (power) return k * (n == 1 ? delta : n == 1.5L ? delta * sqrtl(delta) : powl(delta, n));
        if (a > 0) return length * line_load(delta);
        if (id == "liu") return PI / 2 * delta * modulus * length * sqrtl(delta / (2 * (gap + delta)));
        if (id == "persson") {
            real half = acosl(gap / (gap + delta)) / 2, t = tanl(half) * tanl(half);
            if (half > 0.73L) throw std::runtime_error("Persson's limit");
            return length * 2 * PI * modulus * gap * t * (t + 1) / (2 - log1pl(t) - 2 * t * t);
        }
        real kn = PI * modulus / 8 * sqrtl(2 * delta * powl(3 * gap + 2 * delta, 2) / powl(gap + delta, 3));
        return id == "bai-zhao" ? kn * delta * sqrtl(delta) : length * kn * delta;
    }
    // Stored energy; only where the stiffness changes under a contact.
    real energy(real delta) const {
        if (power) return k * powl(delta, n + 1) / (n + 1);
        if (a > 0) { real f = line_load(delta); return length * f * f / (2 * a) * (logl(b / f) + c - 0.5L); }
        throw std::runtime_error("no energy of " + id);
    }
};

struct Damping {
    std::string id = "no-damping";
    Params p;
    real fixed = 0; // hysteresis factor of laws that have one
    bool factor_law = false, by_speed = false;

    Damping() = default;
    Damping(const std::string& name, const Params& params) : id(name), p(params) {
        real c = get(p, "restitution", -1);
        auto factor = [&](real a) { factor_law = true; fixed = a; };
        if (id == "no-damping") factor(0);
        else if (id == "exact" || id == "gonthier") {
            real low = 1e-30L, high = 1 / c - 1e-18L; // a(1+c) = ln((1+a)/(1-ac)), a < 1/c
            auto f = [&](real a) { return log1pl(a) - log1pl(-a * c) - a * (1 + c); };
            low = 1e-3L * (1 - c);
            for (int i = 0; i < 400; i++) { real m = (low + high) / 2; (f(m) > 0 ? high : low) = m; }
            factor(low);
        }
        else if (id == "hunt-crossley") factor(1.5L * (1 - c));
        else if (id == "marhefka-orin") { real x = 1 - c; factor(1.5L * x * (2 - x) / (2 - 3 * x + 3 * x * x - x * x * x)); }
        else if (id == "marhefka-orin-simplified") factor(3 * (1 - c * c) / (2 * (3 * c - 1)));
        else if (id == "herbert-mcwhannell") factor(6 * (1 - c) / ((2 * c - 1) * (2 * c - 1) + 3));
        else if (id == "lee-wang") factor(0.75L * (1 - c));
        else if (id == "lankarani-nikravesh" || id == "khulief-shabana") factor(0.75L * (1 - c * c));
        else if (id == "zhiying-qishao") factor(0.75L * (1 - c * c) * expl(2 * (1 - c)));
        else if (id == "gonthier-approx") factor((1 - c * c) / c);
        else if (id == "flores") factor(1.6L * (1 - c) / c);
        else if (id == "gharib-hurmuzlu") factor(1 / c);
        else if (id == "hu-guo") factor(1.5L * (1 - c) / c);
        else if (id == "hunt-crossley-alpha") by_speed = true;
        else if (id == "lee-wang-linear") by_speed = true;
    }
    bool plastic() const { return id.find("-plastic") != std::string::npos; }
    bool turns() const { return id == "jankowski" || (id == "kelvin-voigt-restitution" && get(p, "smoothing_speed", 0) == 0); }
};

// Friction as a coefficient: F_t = −F_n μ(v). Regions of |v| and the sign of v are frozen between events.
struct Friction {
    std::string id = "no-friction";
    Params p;
    std::vector<real> bounds; // of |v|
    bool signs = false;       // not smooth through v = 0 (in the first region)

    Friction() = default;
    Friction(const std::string& name, const Params& params) : id(name), p(params) {
        if (id == "coulomb-ramp" || id == "coulomb-cubic") bounds = {need(p, "slip_speed")};
        else if (id == "bai-zhao-friction") bounds = {need(p, "slip_speed"), need(p, "dynamic_speed")};
        else if (id == "ambrosio") bounds = {need(p, "speed_0"), need(p, "speed_1")};
        else if (id == "lugre" || id == "coulomb") signs = true;
        else if (id != "no-friction" && id != "coulomb-tanh" && id != "stribeck") throw std::runtime_error("friction law " + id);
    }
    real curve(real v) const { // g(v) of Stribeck and LuGre
        real d = need(p, "mu_dynamic"), s = need(p, "mu_static"), x = v / need(p, "stribeck_speed");
        return d + (s - d) * expl(-x * x);
    }
    real bristle_rate(real v, real z, int sign) const {
        return id == "lugre" ? v - need(p, "sigma0") * sign * v * z / curve(v) : 0;
    }
    real coefficient(real v, real z, int region, int sign) const {
        if (id == "no-friction") return 0;
        if (id == "coulomb") return sign * need(p, "mu");
        if (id == "coulomb-tanh") return need(p, "mu") * tanhl(v / need(p, "slip_speed"));
        if (id == "stribeck") return curve(v) * tanhl(v / need(p, "transition_speed")) + get(p, "viscous", 0) * v;
        if (id == "lugre") return need(p, "sigma0") * z + need(p, "sigma1") * bristle_rate(v, z, sign) + get(p, "sigma2", 0) * v;
        real speed = sign * v;
        if (id == "ambrosio") {
            real ramp = (speed - bounds[0]) / (bounds[1] - bounds[0]);
            return need(p, "mu") * sign * (region == 0 ? 0 : region == 1 ? ramp : 1);
        }
        real x = v / bounds[0];
        if (id == "coulomb-ramp") return need(p, "mu") * (region == 0 ? x : sign);
        if (id == "coulomb-cubic") return need(p, "mu") * (region == 0 ? 1.5L * x - 0.5L * x * x * x : sign);
        real s = need(p, "mu_static"), d = need(p, "mu_dynamic");
        if (region == 0) return s * (1.5L * x - 0.5L * x * x * x);
        real u = (speed - bounds[0]) / (bounds[1] - bounds[0]);
        return sign * (region == 1 ? s + (d - s) * u * u * (3 - 2 * u) : d);
    }
};

// What a contact remembers while it lasts. Flags are frozen between events.
struct Memory {
    bool touching = false, armed = true, clamped = false, compressing = true;
    int section = 0, region = 0, sign = 1;
    real speed = 0, mass = 0, deepest = 0; // δ̇₀, m_eff, δ_m of plastic laws (0 while loading for the first time)
    bool loading = true;
};

struct Law {
    std::vector<Elastic> elastic; // per section
    std::vector<std::string> names;
    Damping damping;
    Friction friction;
    bool adhesive = false;
    real floor = 1e-6L;

    real permanent(const Memory& m) const {
        real e = get(damping.p, "restitution", 1);
        return damping.plastic() && m.deepest > 0 ? m.deepest * (1 - e * e) : 0;
    }
    // Force before pulling is cut off.
    real raw(const Memory& m, real delta, real rate) const {
        const Elastic& el = elastic[m.section];
        const Damping& d = damping;
        if (d.factor_law) return el.force(delta) * (1 + d.fixed * rate / m.speed);
        real c = get(d.p, "restitution", -1), size = fabsl(delta);
        if (d.id == "hunt-crossley-alpha") {
            real e = get(d.p, "rate_exponent", 1), x = e == 1 ? rate : copysignl(powl(fabsl(rate), e), rate);
            return el.force(delta) * (1 + 1.5L * need(d.p, "alpha") * x);
        }
        if (d.id == "lee-wang-linear") return el.force(delta) * (1 + 0.75L * need(d.p, "alpha1") * rate);
        if (d.id == "kelvin-voigt") return el.force(delta) + need(d.p, "damping_coefficient") * rate;
        if (d.id == "kelvin-voigt-restitution") {
            real w = get(d.p, "smoothing_speed", 0);
            real s = w > 0 ? (1 + c) / 2 + (1 - c) / 2 * tanhl(rate / w) : m.compressing ? 1 : c;
            return el.force(delta) * s;
        }
        if (d.id == "ristow" || d.id == "schafer") return el.force(delta) + need(d.p, "chi") * delta * rate;
        if (d.id == "lee-herrmann") return el.force(delta) + need(d.p, "chi") * m.mass * delta * rate;
        if (d.id == "bordbar-hyppanen") return el.force(delta) + need(d.p, "chi") * powl(size, 0.65L) * rate;
        if (!el.power) throw std::runtime_error(d.id + " needs a power law");
        real k = el.k, n = el.n;
        if (d.plastic()) {
            if (m.loading) return el.force(delta);
            real rest = permanent(m), x = (delta - rest) / (m.deepest - rest);
            return k * powl(m.deepest, n) * copysignl(powl(fabsl(x), n), x);
        }
        real zeta = -logl(c) / hypotl(PI, logl(c));
        real root = sqrtl(m.mass * k * powl(size, n - 1));
        if (d.id == "anagnostopoulos" || d.id == "tsuji" || d.id == "lee-wang-transition") {
            real e = get(d.p, "epsilon", 0), q = get(d.p, "q", 3);
            real t = d.id == "lee-wang-transition" && e > 0 && m.loading ? expl(-2 * q * (e - delta) / e) : 1; // loading: δ < ε
            return el.force(delta) + 2 * zeta * sqrtl((n + 1) / 2) * root * t * rate;
        }
        if (d.id == "jankowski") {
            real xi = 9 * sqrtl(5.0L) / 2 * (1 - c * c) / (c * (c * (9 * PI - 16) + 16));
            return el.force(delta) + (m.compressing ? 2 * xi * root * rate : 0);
        }
        if (d.id == "brilliantov") {
            real e1 = need(d.p, "eta1"), e2 = need(d.p, "eta2"), nu = need(d.p, "poisson"), e = need(d.p, "young");
            real a = (3 * e2 - e1) * (3 * e2 - e1) / (3 * (3 * e2 + 2 * e1)) * (1 - nu * nu) * (1 - 2 * nu) / (e * nu * nu);
            return el.force(delta) + a * n * k * powl(size, n - 1) * rate;
        }
        throw std::runtime_error("damping law " + d.id);
    }
    real force(const Memory& m, real delta, real rate) const {
        return !m.touching || m.clamped ? 0 : raw(m, delta, rate);
    }
    // Its sign tells whether the contact would pull.
    real push(const Memory& m, real delta, real rate) const {
        return damping.factor_law ? 1 + damping.fixed * rate / m.speed : raw(m, delta, rate);
    }
    bool may_pull() const {
        return !adhesive && !(damping.factor_law && damping.fixed == 0) && !damping.plastic() && damping.id != "kelvin-voigt-restitution";
    }
};
