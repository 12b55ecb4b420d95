"""The elements of a model file as methods. Written by `python python/generate.py` from the schema of model files: do not edit."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from ._part import Part

Quantity = Any
"""A number in SI units, a text with a unit such as "0.5 mm", a formula such as "= 2*c", or a quantity of pint."""
Vector = Sequence[Quantity]
Table = Mapping[str, Any]


class Elements:
    """The elements of a model file."""

    @abstractmethod
    def _add(self, section: str, name: str, kind: str | None, keys: dict[str, Any]) -> Part: ...

    def body(
        self,
        name: str,
        *,
        mass: Quantity,
        count: int | str | None = None,
        inertia: Quantity | None = None,
        centre: Vector | None = None,
        position: Vector | None = None,
        angle: Quantity | None = None,
        velocity: Vector | None = None,
        angular_velocity: Quantity | None = None,
    ) -> Part:
        """A rigid body; points on it are given in its frame.

        Parameters
        ----------
        mass : mass
        count : makes this an array with this many parts, NAME-1, NAME-2, …; in its formulas, `i` is the part number and
            NAME[i-1] one of the parts
        inertia : moment of inertia about the centre of mass; 0 by default
        centre : centre of mass in the frame of the body; [0, 0] by default
        position : approximate position of the frame at the start; joints adjust it
        angle : approximate angle of the frame at the start
        velocity : velocity of the origin of the frame at the start; changed only as far as joints require
        angular_velocity : angular velocity at the start; changed only as far as joints require
        """
        keys = {
            "mass": mass,
            "count": count,
            "inertia": inertia,
            "centre": centre,
            "position": position,
            "angle": angle,
            "velocity": velocity,
            "angular_velocity": angular_velocity,
        }
        return self._add("bodies", name, None, keys)

    def revolute(
        self,
        name: str,
        *,
        a: Table,
        b: Table,
        count: int | str | None = None,
        kind: Literal["ideal", "bushing", "clearance"] | None = None,
        friction: Table | None = None,
        bearing_radius: Quantity | None = None,
        journal_radius: Quantity | None = None,
        clearance: Quantity | None = None,
        contact_point: Literal["bearing", "middle", "journal"] | None = None,
        fit: str | None = None,
        fit_hole: Quantity | None = None,
        fit_shaft: Quantity | None = None,
        law: str | Table | None = None,
        restitution: Literal["cube-root"] | Quantity | Table | None = None,
        material: str | None = None,
        materials: Sequence[str] | None = None,
        length: Quantity | None = None,
        adhesive: bool | None = None,
        impact_speed_floor: Quantity | None = None,
        initial_impact_speed: Quantity | None = None,
        locate_turns: bool | None = None,
        stiffness: Vector | Quantity | None = None,
        damping: Vector | Quantity | None = None,
        torsional_stiffness: Quantity | None = None,
        torsional_damping: Quantity | None = None,
    ) -> Part:
        """A pin joint; with clearance a journal (b) in a bearing (a).

        Parameters
        ----------
        a : centre of the bearing
        b : centre of the journal
        count : makes this an array with this many parts, NAME-1, NAME-2, …; in its formulas, `i` is the part number and
            NAME[i-1] one of the parts
        kind : how the joint is realised; ideal by default
        friction : friction of the ideal joint
        bearing_radius : radius of the bearing
        journal_radius : radius of the journal
        clearance : bearing radius minus journal radius, instead of one of them
        contact_point : the surface on which slip is measured and friction acts; bearing by default
        fit : both sizes by a fit of ISO 286, such as "20 H7/g6", nominal size in mm
        fit_hole : place of the outer size in its zone: 0 the smallest, 1 the largest; 0.5 by default
        fit_shaft : place of the inner size in its zone; 0.5 by default
        law : law of the contact: "elastic+damping+friction", or a table
        restitution : restitution that the damping law should return
        material : material of both bodies
        materials : materials of a and of b
        length : axial length, for cylinder laws
        adhesive : whether the law may pull; false by default
        impact_speed_floor : lowest impact speed used for damping; without it a contact that begins slower than 10 µm/s is
            treated as resting, not as an impact
        initial_impact_speed : impact speed of a contact that is indented at the start
        locate_turns : whether maximum compression and reversals of sliding are located as events
        stiffness : of a bushing: in all directions, or along and across the axis of a
        damping : of a bushing; 0 by default
        torsional_stiffness : of a bushing; 0 by default
        torsional_damping : of a bushing; 0 by default
        """
        keys = {
            "a": a,
            "b": b,
            "count": count,
            "kind": kind,
            "friction": friction,
            "bearing_radius": bearing_radius,
            "journal_radius": journal_radius,
            "clearance": clearance,
            "contact_point": contact_point,
            "fit": fit,
            "fit_hole": fit_hole,
            "fit_shaft": fit_shaft,
            "law": law,
            "restitution": restitution,
            "material": material,
            "materials": materials,
            "length": length,
            "adhesive": adhesive,
            "impact_speed_floor": impact_speed_floor,
            "initial_impact_speed": initial_impact_speed,
            "locate_turns": locate_turns,
            "stiffness": stiffness,
            "damping": damping,
            "torsional_stiffness": torsional_stiffness,
            "torsional_damping": torsional_damping,
        }
        return self._add("joints", name, "revolute", keys)

    def slot(
        self,
        name: str,
        *,
        a: Table,
        b: Table,
        path: Table,
        count: int | str | None = None,
        kind: Literal["ideal", "bushing", "clearance"] | None = None,
        pin_radius: Quantity | None = None,
        ends: Literal["closed", "open", "open-from", "open-to"] | None = None,
        contact_point: Literal["slot", "middle", "pin"] | None = None,
        laws: Table | None = None,
        law: str | Table | None = None,
        restitution: Literal["cube-root"] | Quantity | Table | None = None,
        material: str | None = None,
        materials: Sequence[str] | None = None,
        length: Quantity | None = None,
        adhesive: bool | None = None,
        impact_speed_floor: Quantity | None = None,
        initial_impact_speed: Quantity | None = None,
        locate_turns: bool | None = None,
        stiffness: Vector | Quantity | None = None,
        damping: Vector | Quantity | None = None,
        torsional_stiffness: Quantity | None = None,
        torsional_damping: Quantity | None = None,
    ) -> Part:
        """A pin (b) in a slot (a).

        Parameters
        ----------
        a : the body with the slot; the path is relative to this point
        b : centre of the pin
        path : centre line and width of the slot
        count : makes this an array with this many parts, NAME-1, NAME-2, …; in its formulas, `i` is the part number and
            NAME[i-1] one of the parts
        kind : how the joint is realised; ideal by default
        pin_radius : radius of the pin
        ends : whether arcs close the slot, or it is open at both ends or at one; closed by default
        contact_point : the surface on which slip is measured and friction acts; pin by default
        laws : laws for regions that differ from `law`
        law : law of the contact: "elastic+damping+friction", or a table
        restitution : restitution that the damping law should return
        material : material of both bodies
        materials : materials of a and of b
        length : axial length, for cylinder laws
        adhesive : whether the law may pull; false by default
        impact_speed_floor : lowest impact speed used for damping; without it a contact that begins slower than 10 µm/s is
            treated as resting, not as an impact
        initial_impact_speed : impact speed of a contact that is indented at the start
        locate_turns : whether maximum compression and reversals of sliding are located as events
        stiffness : of a bushing: in all directions, or along and across the axis of a
        damping : of a bushing; 0 by default
        torsional_stiffness : of a bushing; 0 by default
        torsional_damping : of a bushing; 0 by default
        """
        keys = {
            "a": a,
            "b": b,
            "path": path,
            "count": count,
            "kind": kind,
            "pin_radius": pin_radius,
            "ends": ends,
            "contact_point": contact_point,
            "laws": laws,
            "law": law,
            "restitution": restitution,
            "material": material,
            "materials": materials,
            "length": length,
            "adhesive": adhesive,
            "impact_speed_floor": impact_speed_floor,
            "initial_impact_speed": initial_impact_speed,
            "locate_turns": locate_turns,
            "stiffness": stiffness,
            "damping": damping,
            "torsional_stiffness": torsional_stiffness,
            "torsional_damping": torsional_damping,
        }
        return self._add("joints", name, "slot", keys)

    def prismatic(
        self,
        name: str,
        *,
        a: Table,
        b: Table,
        count: int | str | None = None,
        kind: Literal["ideal", "bushing", "clearance"] | None = None,
        friction: Table | None = None,
        block_length: Quantity | None = None,
        block_height: Quantity | None = None,
        guide_height: Quantity | None = None,
        clearance: Quantity | None = None,
        guide_length: Quantity | None = None,
        guide_offset: Quantity | None = None,
        fit: str | None = None,
        fit_hole: Quantity | None = None,
        fit_shaft: Quantity | None = None,
        law: str | Table | None = None,
        restitution: Literal["cube-root"] | Quantity | Table | None = None,
        material: str | None = None,
        materials: Sequence[str] | None = None,
        length: Quantity | None = None,
        adhesive: bool | None = None,
        impact_speed_floor: Quantity | None = None,
        initial_impact_speed: Quantity | None = None,
        locate_turns: bool | None = None,
        stiffness: Vector | Quantity | None = None,
        damping: Vector | Quantity | None = None,
        torsional_stiffness: Quantity | None = None,
        torsional_damping: Quantity | None = None,
    ) -> Part:
        """A block (b) in a straight guide (a).

        Parameters
        ----------
        a : a point of the axis of the guide, and its direction
        b : centre of the block, and its direction
        count : makes this an array with this many parts, NAME-1, NAME-2, …; in its formulas, `i` is the part number and
            NAME[i-1] one of the parts
        kind : how the joint is realised; ideal by default
        friction : friction of the ideal joint
        block_length : length of the block along the guide
        block_height : height of the block across the guide
        guide_height : distance of the walls
        clearance : gap on each side of the centred block, instead of a height
        guide_length : length of the walls; endless by default
        guide_offset : position of the middle of the walls along the guide, from a; 0 by default
        fit : both sizes by a fit of ISO 286, such as "20 H7/g6", nominal size in mm
        fit_hole : place of the outer size in its zone: 0 the smallest, 1 the largest; 0.5 by default
        fit_shaft : place of the inner size in its zone; 0.5 by default
        law : law of the contact: "elastic+damping+friction", or a table
        restitution : restitution that the damping law should return
        material : material of both bodies
        materials : materials of a and of b
        length : axial length, for cylinder laws
        adhesive : whether the law may pull; false by default
        impact_speed_floor : lowest impact speed used for damping; without it a contact that begins slower than 10 µm/s is
            treated as resting, not as an impact
        initial_impact_speed : impact speed of a contact that is indented at the start
        locate_turns : whether maximum compression and reversals of sliding are located as events
        stiffness : of a bushing: in all directions, or along and across the axis of a
        damping : of a bushing; 0 by default
        torsional_stiffness : of a bushing; 0 by default
        torsional_damping : of a bushing; 0 by default
        """
        keys = {
            "a": a,
            "b": b,
            "count": count,
            "kind": kind,
            "friction": friction,
            "block_length": block_length,
            "block_height": block_height,
            "guide_height": guide_height,
            "clearance": clearance,
            "guide_length": guide_length,
            "guide_offset": guide_offset,
            "fit": fit,
            "fit_hole": fit_hole,
            "fit_shaft": fit_shaft,
            "law": law,
            "restitution": restitution,
            "material": material,
            "materials": materials,
            "length": length,
            "adhesive": adhesive,
            "impact_speed_floor": impact_speed_floor,
            "initial_impact_speed": initial_impact_speed,
            "locate_turns": locate_turns,
            "stiffness": stiffness,
            "damping": damping,
            "torsional_stiffness": torsional_stiffness,
            "torsional_damping": torsional_damping,
        }
        return self._add("joints", name, "prismatic", keys)

    def weld(
        self,
        name: str,
        *,
        a: Table,
        b: Table,
        count: int | str | None = None,
        kind: Literal["ideal", "bushing"] | None = None,
        stiffness: Vector | Quantity | None = None,
        damping: Vector | Quantity | None = None,
        torsional_stiffness: Quantity | None = None,
        torsional_damping: Quantity | None = None,
    ) -> Part:
        """One body of two.

        Parameters
        ----------
        a : place on body a
        b : place on body b
        count : makes this an array with this many parts, NAME-1, NAME-2, …; in its formulas, `i` is the part number and
            NAME[i-1] one of the parts
        kind : ideal by default
        stiffness : of a bushing: in all directions, or along and across the axis of a
        damping : of a bushing; 0 by default
        torsional_stiffness : of a bushing; 0 by default
        torsional_damping : of a bushing; 0 by default
        """
        keys = {
            "a": a,
            "b": b,
            "count": count,
            "kind": kind,
            "stiffness": stiffness,
            "damping": damping,
            "torsional_stiffness": torsional_stiffness,
            "torsional_damping": torsional_damping,
        }
        return self._add("joints", name, "weld", keys)

    def rod(
        self,
        name: str,
        *,
        a: Table,
        b: Table,
        count: int | str | None = None,
        kind: Literal["ideal"] | None = None,
        length: Quantity | None = None,
    ) -> Part:
        """A massless rod of fixed length between two points.

        Parameters
        ----------
        a : one end
        b : the other end
        count : makes this an array with this many parts, NAME-1, NAME-2, …; in its formulas, `i` is the part number and
            NAME[i-1] one of the parts
        kind : ideal
        length : the length; by default the distance of the points as the bodies are placed
        """
        keys = {
            "a": a,
            "b": b,
            "count": count,
            "kind": kind,
            "length": length,
        }
        return self._add("joints", name, "rod", keys)

    def circle_circle(
        self,
        name: str,
        *,
        a: Table,
        b: Table,
        count: int | str | None = None,
        law: str | Table | None = None,
        restitution: Literal["cube-root"] | Quantity | Table | None = None,
        material: str | None = None,
        materials: Sequence[str] | None = None,
        length: Quantity | None = None,
        adhesive: bool | None = None,
        impact_speed_floor: Quantity | None = None,
        initial_impact_speed: Quantity | None = None,
        locate_turns: bool | None = None,
    ) -> Part:
        """Two circles that touch from outside.

        Parameters
        ----------
        a : one circle
        b : the other
        count : makes this an array with this many parts, NAME-1, NAME-2, …; in its formulas, `i` is the part number and
            NAME[i-1] one of the parts
        law : law of the contact: "elastic+damping+friction", or a table
        restitution : restitution that the damping law should return
        material : material of both bodies
        materials : materials of a and of b
        length : axial length, for cylinder laws
        adhesive : whether the law may pull; false by default
        impact_speed_floor : lowest impact speed used for damping; without it a contact that begins slower than 10 µm/s is
            treated as resting, not as an impact
        initial_impact_speed : impact speed of a contact that is indented at the start
        locate_turns : whether maximum compression and reversals of sliding are located as events
        """
        keys = {
            "a": a,
            "b": b,
            "count": count,
            "law": law,
            "restitution": restitution,
            "material": material,
            "materials": materials,
            "length": length,
            "adhesive": adhesive,
            "impact_speed_floor": impact_speed_floor,
            "initial_impact_speed": initial_impact_speed,
            "locate_turns": locate_turns,
        }
        return self._add("contacts", name, "circle-circle", keys)

    def circle_line(
        self,
        name: str,
        *,
        line: Table,
        circle: Table,
        count: int | str | None = None,
        law: str | Table | None = None,
        restitution: Literal["cube-root"] | Quantity | Table | None = None,
        material: str | None = None,
        materials: Sequence[str] | None = None,
        length: Quantity | None = None,
        adhesive: bool | None = None,
        impact_speed_floor: Quantity | None = None,
        initial_impact_speed: Quantity | None = None,
        locate_turns: bool | None = None,
    ) -> Part:
        """A circle against a straight wall.

        Parameters
        ----------
        line : the wall
        circle : the circle
        count : makes this an array with this many parts, NAME-1, NAME-2, …; in its formulas, `i` is the part number and
            NAME[i-1] one of the parts
        law : law of the contact: "elastic+damping+friction", or a table
        restitution : restitution that the damping law should return
        material : material of both bodies
        materials : materials of a and of b
        length : axial length, for cylinder laws
        adhesive : whether the law may pull; false by default
        impact_speed_floor : lowest impact speed used for damping; without it a contact that begins slower than 10 µm/s is
            treated as resting, not as an impact
        initial_impact_speed : impact speed of a contact that is indented at the start
        locate_turns : whether maximum compression and reversals of sliding are located as events
        """
        keys = {
            "line": line,
            "circle": circle,
            "count": count,
            "law": law,
            "restitution": restitution,
            "material": material,
            "materials": materials,
            "length": length,
            "adhesive": adhesive,
            "impact_speed_floor": impact_speed_floor,
            "initial_impact_speed": initial_impact_speed,
            "locate_turns": locate_turns,
        }
        return self._add("contacts", name, "circle-line", keys)

    def driver(
        self,
        name: str,
        *,
        joint: str | None = None,
        angle: str | Sequence[str] | None = None,
        x: Table | None = None,
        y: Table | None = None,
        distance: Sequence[Table] | None = None,
        count: int | str | None = None,
        speed: Quantity | None = None,
        start: Quantity | None = None,
        value: Quantity | Table | None = None,
    ) -> Part:
        """A coordinate prescribed as a function of time: one coordinate and one motion.

        Parameters
        ----------
        joint : the coordinate of this joint: angle or displacement of b on a
        angle : the angle of this body, or from the first body to the second
        x : world x of a point
        y : world y of a point
        distance : the distance of two points
        count : makes this an array with this many parts, NAME-1, NAME-2, …; in its formulas, `i` is the part number and
            NAME[i-1] one of the parts
        speed : constant speed, from `start`
        start : value at t = 0 if `speed` is given; 0 by default
        value : a constant, an expression of t (SI), or a table
        """
        keys = {
            "joint": joint,
            "angle": angle,
            "x": x,
            "y": y,
            "distance": distance,
            "count": count,
            "speed": speed,
            "start": start,
            "value": value,
        }
        return self._add("drivers", name, None, keys)

    def spring(
        self,
        name: str,
        *,
        a: Table,
        b: Table,
        count: int | str | None = None,
        stiffness: Quantity | None = None,
        damping: Quantity | None = None,
        free_length: Quantity | None = None,
        preload: Quantity | None = None,
    ) -> Part:
        """A spring-damper between two points: tension = preload + k (l - l0) + c dl/dt.

        Parameters
        ----------
        a : one end
        b : the other end
        count : makes this an array with this many parts, NAME-1, NAME-2, …; in its formulas, `i` is the part number and
            NAME[i-1] one of the parts
        stiffness : k; 0 by default
        damping : c; 0 by default
        free_length : l0; by default the distance of the points as the bodies are placed
        preload : tension at the free length; 0 by default
        """
        keys = {
            "a": a,
            "b": b,
            "count": count,
            "stiffness": stiffness,
            "damping": damping,
            "free_length": free_length,
            "preload": preload,
        }
        return self._add("forces", name, "spring", keys)

    def torsion_spring(
        self,
        name: str,
        *,
        a: str,
        b: str,
        count: int | str | None = None,
        stiffness: Quantity | None = None,
        damping: Quantity | None = None,
        free_angle: Quantity | None = None,
        preload: Quantity | None = None,
    ) -> Part:
        """A spring-damper between the angles of two bodies.

        Parameters
        ----------
        a : the body that the angle is measured from
        b : the body that the angle is measured to
        count : makes this an array with this many parts, NAME-1, NAME-2, …; in its formulas, `i` is the part number and
            NAME[i-1] one of the parts
        stiffness : per angle; 0 by default
        damping : per angular velocity; 0 by default
        free_angle : angle without moment; 0 by default
        preload : moment at the free angle; 0 by default
        """
        keys = {
            "a": a,
            "b": b,
            "count": count,
            "stiffness": stiffness,
            "damping": damping,
            "free_angle": free_angle,
            "preload": preload,
        }
        return self._add("forces", name, "torsion-spring", keys)

    def force(
        self,
        name: str,
        *,
        on: Table,
        direction: Vector | Quantity,
        value: Quantity | Table,
        count: int | str | None = None,
        frame: Literal["world", "body"] | None = None,
    ) -> Part:
        """A force at a point.

        Parameters
        ----------
        on : where it acts
        direction : angle to the x axis, or a vector
        value : its magnitude
        count : makes this an array with this many parts, NAME-1, NAME-2, …; in its formulas, `i` is the part number and
            NAME[i-1] one of the parts
        frame : the frame in which the direction is fixed; world by default
        """
        keys = {
            "on": on,
            "direction": direction,
            "value": value,
            "count": count,
            "frame": frame,
        }
        return self._add("forces", name, "force", keys)

    def torque(
        self,
        name: str,
        *,
        on: str,
        value: Quantity | Table,
        count: int | str | None = None,
        against: str | None = None,
    ) -> Part:
        """A torque on a body and its reaction on another.

        Parameters
        ----------
        on : the body that is driven
        value : its size, positive counter-clockwise
        count : makes this an array with this many parts, NAME-1, NAME-2, …; in its formulas, `i` is the part number and
            NAME[i-1] one of the parts
        against : the body that takes the reaction; ground by default
        """
        keys = {
            "on": on,
            "value": value,
            "count": count,
            "against": against,
        }
        return self._add("forces", name, "torque", keys)

    def bushing(
        self,
        name: str,
        *,
        a: Table,
        b: Table,
        count: int | str | None = None,
        stiffness: Vector | Quantity | None = None,
        damping: Vector | Quantity | None = None,
        torsional_stiffness: Quantity | None = None,
        torsional_damping: Quantity | None = None,
    ) -> Part:
        """An elastic bearing between two places.

        Parameters
        ----------
        a : the place that defines the axes
        b : the place that moves relative to it
        count : makes this an array with this many parts, NAME-1, NAME-2, …; in its formulas, `i` is the part number and
            NAME[i-1] one of the parts
        stiffness : of a bushing: in all directions, or along and across the axis of a
        damping : of a bushing; 0 by default
        torsional_stiffness : of a bushing; 0 by default
        torsional_damping : of a bushing; 0 by default
        """
        keys = {
            "a": a,
            "b": b,
            "count": count,
            "stiffness": stiffness,
            "damping": damping,
            "torsional_stiffness": torsional_stiffness,
            "torsional_damping": torsional_damping,
        }
        return self._add("forces", name, "bushing", keys)

    def stop(
        self,
        name: str,
        *,
        count: int | str | None = None,
        below: Quantity | None = None,
        above: Quantity | None = None,
        joint: str | None = None,
        angle: str | Sequence[str] | None = None,
        x: Table | None = None,
        y: Table | None = None,
        distance: Sequence[Table] | None = None,
        law: str | Table | None = None,
        restitution: Literal["cube-root"] | Quantity | Table | None = None,
        material: str | None = None,
        materials: Sequence[str] | None = None,
        length: Quantity | None = None,
        adhesive: bool | None = None,
        impact_speed_floor: Quantity | None = None,
        initial_impact_speed: Quantity | None = None,
        locate_turns: bool | None = None,
    ) -> Part:
        """A stop: contact where a coordinate passes a limit.

        Parameters
        ----------
        count : makes this an array with this many parts, NAME-1, NAME-2, …; in its formulas, `i` is the part number and
            NAME[i-1] one of the parts
        below : the coordinate cannot go below this
        above : the coordinate cannot go above this
        joint : the coordinate of this joint: angle or displacement of b on a
        angle : the angle of this body, or from the first body to the second
        x : world x of a point
        y : world y of a point
        distance : the distance of two points
        law : law of the contact: "elastic+damping+friction", or a table
        restitution : restitution that the damping law should return
        material : material of both bodies
        materials : materials of a and of b
        length : axial length, for cylinder laws
        adhesive : whether the law may pull; false by default
        impact_speed_floor : lowest impact speed used for damping; without it a contact that begins slower than 10 µm/s is
            treated as resting, not as an impact
        initial_impact_speed : impact speed of a contact that is indented at the start
        locate_turns : whether maximum compression and reversals of sliding are located as events
        """
        keys = {
            "count": count,
            "below": below,
            "above": above,
            "joint": joint,
            "angle": angle,
            "x": x,
            "y": y,
            "distance": distance,
            "law": law,
            "restitution": restitution,
            "material": material,
            "materials": materials,
            "length": length,
            "adhesive": adhesive,
            "impact_speed_floor": impact_speed_floor,
            "initial_impact_speed": initial_impact_speed,
            "locate_turns": locate_turns,
        }
        return self._add("forces", name, "stop", keys)

    def output(
        self,
        name: str,
        *,
        joint: str | None = None,
        angle: str | Sequence[str] | None = None,
        x: Table | None = None,
        y: Table | None = None,
        distance: Sequence[Table] | None = None,
        count: int | str | None = None,
        expression: str | None = None,
        point: Table | None = None,
    ) -> Part:
        """A quantity of your own: an expression, a point or a coordinate.

        Parameters
        ----------
        joint : the coordinate of this joint: angle or displacement of b on a
        angle : the angle of this body, or from the first body to the second
        x : world x of a point
        y : world y of a point
        distance : the distance of two points
        count : makes this an array with this many parts, NAME-1, NAME-2, …; in its formulas, `i` is the part number and
            NAME[i-1] one of the parts
        expression : an expression of channels, parameters and the time t, such as "slider.x - tip.x"
        point : a point of a body; its position, velocity and acceleration are channels
        """
        keys = {
            "joint": joint,
            "angle": angle,
            "x": x,
            "y": y,
            "distance": distance,
            "count": count,
            "expression": expression,
            "point": point,
        }
        return self._add("outputs", name, None, keys)
