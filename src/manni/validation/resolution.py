"""Following `$ref`: by a walk where that is enough, else with `referencing`.

Most schemas refer to themselves alone, by JSON Pointer, and have no identifiers or anchors inside.
For these a walk over the document finds every target. `referencing` takes longer to import than
most runs take, so it is loaded for the others only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import unquote

if TYPE_CHECKING:
    from referencing import Registry, Specification
    from referencing._core import Resolver

_IDENTIFIERS = frozenset(
    ("$id", "id", "$anchor", "$dynamicAnchor", "$recursiveAnchor", "$dynamicRef", "$recursiveRef")
)


class UnresolvableError(LookupError):
    """A reference that leads nowhere; the message says why."""


class Scope(Protocol):
    """The place in a schema that its references are relative to."""

    def within(self, schema: dict[str, Any]) -> Scope:
        """The scope inside a subschema, which may have an identifier."""
        ...

    def lookup(self, ref: str) -> tuple[Any, Scope]:
        """What a `$ref` or `$dynamicRef` leads to, and the scope there.

        Raises:
            UnresolvableError: it leads nowhere.
        """
        ...

    def lookup_recursive(self) -> tuple[Any, Scope]:
        """What `$recursiveRef` leads to, and the scope there."""
        ...

    def dynamic(self) -> tuple[str, ...]:
        """The resources with dynamic anchors that led here, outermost first."""
        ...


def scope_of(
    document: Any, base_uri: str, registry: Callable[[], Registry[Any]], dialect_uri: str
) -> Scope:
    """The scope at the root of a schema.

    Args:
        document: the schema.
        base_uri: its URI.
        registry: gives a registry that holds it and all that it may refer to.
        dialect_uri: of its meta-schema.
    """
    if _is_self_contained(document, base_uri):
        return _Document(document, base_uri)
    return _registered(base_uri, registry(), dialect_uri)


def _is_self_contained(document: Any, base_uri: str) -> bool:
    pending = [(document, True)]
    while pending:
        value, root = pending.pop()
        if isinstance(value, list):
            pending += [(item, False) for item in value]
        elif isinstance(value, dict):
            # A schema of the property `id` is no identifier.
            named = {name for name in _IDENTIFIERS & value.keys() if _is_name(value[name])}
            if named and not (root and named <= {"$id", "id"}):
                return False
            ref = value.get("$ref")
            if isinstance(ref, str) and _pointer(ref, base_uri) is None:
                return False
            pending += [(member, False) for member in value.values()]
    return True


def _is_name(value: Any) -> bool:
    return isinstance(value, (str, bool))


def _pointer(ref: str, base_uri: str) -> str | None:
    """The JSON Pointer of a reference to the same document, or None when it leads elsewhere."""
    uri, _, fragment = ref.partition("#")
    if uri not in {"", base_uri} or (fragment and not fragment.startswith("/")):
        return None
    return unquote(fragment)


@dataclass(frozen=True, slots=True)
class _Document:
    """The scope of a self-contained document: the same everywhere in it."""

    document: Any
    base_uri: str

    def within(self, _: dict[str, Any]) -> Scope:
        return self

    def lookup(self, ref: str) -> tuple[Any, Scope]:
        value = self.document
        pointer = _pointer(ref, self.base_uri) or ""
        for part in pointer.split("/")[1:]:
            value = _member(value, part.replace("~1", "/").replace("~0", "~"))
        return value, self

    def lookup_recursive(self) -> tuple[Any, Scope]:
        return self.document, self

    def dynamic(self) -> tuple[str, ...]:
        return ()


def _member(value: Any, name: str) -> Any:
    if isinstance(value, dict) and name in value:
        return value[name]
    if isinstance(value, list) and name.isascii() and name.isdecimal():
        index = int(name[:10])
        if index < len(value):
            return value[index]
    raise UnresolvableError("there is nothing at that place")


class _Registered:
    """A scope that `referencing` resolves in.

    Args:
        resolver: of `referencing`, at this place.
        specification: how identifiers and anchors are read.
        anchored: whether the resource of each URI has dynamic anchors, as far as that is known.
    """

    __slots__ = ("_anchored", "_resolver", "_specification")

    def __init__(
        self,
        resolver: Resolver[Any],
        specification: Specification[Any],
        anchored: dict[str, bool],
    ) -> None:
        self._resolver = resolver
        self._specification = specification
        self._anchored = anchored

    def _at(self, resolver: Resolver[Any]) -> Scope:
        return _Registered(resolver, self._specification, self._anchored)

    def within(self, schema: dict[str, Any]) -> Scope:
        resource = self._specification.create_resource(schema)
        return self._at(self._resolver.in_subresource(resource))

    def lookup(self, ref: str) -> tuple[Any, Scope]:
        from referencing.exceptions import Unresolvable

        from manni.schemas.references import describe

        try:
            resolved = self._resolver.lookup(ref)
        except Unresolvable as error:
            raise UnresolvableError(describe(error)) from None
        except ValueError:
            raise UnresolvableError("it is no URI reference") from None
        return resolved.contents, self._at(resolved.resolver)

    def lookup_recursive(self) -> tuple[Any, Scope]:
        from referencing.jsonschema import lookup_recursive_ref

        resolved = lookup_recursive_ref(self._resolver)
        return resolved.contents, self._at(resolved.resolver)

    def dynamic(self) -> tuple[str, ...]:
        met = [uri for uri, registry in self._resolver.dynamic_scope() if self._has(uri, registry)]
        return tuple(dict.fromkeys(reversed(met)))

    def _has(self, uri: str, registry: Registry[Any]) -> bool:
        if uri not in self._anchored:
            self._anchored[uri] = uri in registry and _has_dynamic_anchor(registry.contents(uri))
        return self._anchored[uri]


def _registered(base_uri: str, registry: Registry[Any], dialect_uri: str) -> Scope:
    from referencing.jsonschema import specification_with

    return _Registered(registry.resolver(base_uri), specification_with(dialect_uri), {})


def _has_dynamic_anchor(contents: Any) -> bool:
    pending: list[Any] = [contents]
    while pending:
        value = pending.pop()
        members: Iterable[Any] = ()
        if isinstance(value, dict):
            if "$dynamicAnchor" in value or "$recursiveAnchor" in value:
                return True
            members = value.values()
        elif isinstance(value, list):
            members = value
        pending += members
    return False
