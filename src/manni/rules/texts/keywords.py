"""The keywords of JSON Schema, each with a schema that uses it and a document that breaks it."""

from __future__ import annotations

from manni.rules.texts import Entry, fenced

_TAGS = ("front-matter", "json-schema")


def _entry(
    name: str, short: str, why: str, fix: str, *, schema: str, wrong: str, right: str
) -> Entry:
    return Entry(
        name=name,
        short=short,
        why=why,
        fix=fix,
        wrong=fenced(wrong),
        right=fenced(right),
        given=schema,
        tags=_TAGS,
    )


_ANY = {
    "type": _entry(
        "WrongType",
        "A value has the wrong type",
        "A host that expects text, a number, a list or a mapping ignores or misreads anything "
        "else. In YAML the type follows from the spelling: `2` is a number and `'2'` is text.",
        "Write a value of the type that the message names; quote it where text is wanted.",
        schema='{"properties": {"compatibility": {"type": "string"}}}',
        wrong="compatibility: 2",
        right="compatibility: '2'",
    ),
    "const": _entry(
        "NotTheConstant",
        "A value is not the only one allowed",
        "The schema allows exactly one value here, often because it selects a mode.",
        "Write the value that the schema states, or leave the key out.",
        schema='{"properties": {"context": {"const": "fork"}}}',
        wrong="context: forked",
        right="context: fork",
    ),
    "enum": _entry(
        "NotAnAllowedValue",
        "A value is not one of the allowed ones",
        "The host knows a fixed list of values and falls back to a default, or fails, on any "
        "other. Mostly it is a slip of the pen.",
        "Write one of the allowed values, spelled and cased as in the schema.",
        schema='{"properties": {"effort": {"enum": ["low", "medium", "high"]}}}',
        wrong="effort: extreme",
        right="effort: high",
    ),
    "not": _entry(
        "ForbiddenShape",
        "A value has a form that the schema forbids",
        "The schema describes a form that is not wanted, and this value has it.",
        "Look up what the schema's `not` describes and change the value so that it no longer fits.",
        schema='{"properties": {"name": {"not": {"const": "todo"}}}}',
        wrong="name: todo",
        right="name: fix-bug",
    ),
    "anyOf": _entry(
        "NoAlternativeFits",
        "A value fits none of the forms allowed",
        "Several forms are allowed and the value has none of them. The findings before this one "
        "say what each form lacks.",
        "Choose one of the forms and mend what its findings name; the others then do not matter.",
        schema='{"properties": {"tools": {"anyOf": [{"type": "string"}, {"type": "array"}]}}}',
        wrong="tools: 5",
        right="tools: [Read, Edit]",
    ),
    "oneOf": _entry(
        "NotExactlyOneFits",
        "A value does not fit exactly one of the forms allowed",
        "Exactly one of several forms must fit. Here none does, or more than one does, so that "
        "its meaning is open.",
        "Keep what belongs to one form and remove what belongs to the others.",
        schema='{"oneOf": [{"required": ["path"]}, {"required": ["url"]}]}',
        wrong="path: notes.md\nurl: https://docs.example.com/notes",
        right="path: notes.md",
    ),
    "if": _entry(
        "ConditionNotMet",
        "What one value asks of the others is missing",
        "One part of the metadata makes demands on another, and they are not met. The findings "
        "before this one name them.",
        "Mend the findings of the branch, or change the value that the condition looks at.",
        schema='{"if": {"properties": {"grader": {"const": "ai"}}, "required": ["grader"]},\n'
        ' "then": {"required": ["assertion"]}}',
        wrong="grader: ai",
        right="grader: ai\nassertion: The session ran the tests.",
    ),
    "false schema": _entry(
        "NeverAllowed",
        "A key or item is never allowed here",
        "The schema rules this key or item out altogether; a common reason is a reserved prefix, "
        "so that a misspelled key is noticed.",
        "Correct the spelling of the key, or remove it.",
        schema='{"patternProperties": {"^eval-(?!skip$)": false}}',
        wrong="eval-skipp: true",
        right="eval-skip: true",
    ),
    "format": _entry(
        "WrongFormat",
        "A text does not have the format it should",
        "Programs read this text as a date, an address or the like, and cannot.",
        "Write it in the standard form of the format that the message names.",
        schema='{"properties": {"reviewed": {"format": "date"}}}',
        wrong="reviewed: 5 March 2026",
        right="reviewed: 2026-03-05",
    ),
}

_NUMBERS = {
    "maximum": _entry(
        "NumberTooLarge",
        "A number is above its maximum",
        "Values above the limit are refused, or cost more than intended.",
        "Write a number up to the one that the message names.",
        schema='{"properties": {"runs": {"maximum": 50}}}',
        wrong="runs: 500",
        right="runs: 50",
    ),
    "minimum": _entry(
        "NumberTooSmall",
        "A number is below its minimum",
        "Values below the limit have no meaning here.",
        "Write a number from the one that the message names upwards.",
        schema='{"properties": {"runs": {"minimum": 1}}}',
        wrong="runs: 0",
        right="runs: 1",
    ),
    "exclusiveMaximum": _entry(
        "NumberNotBelowLimit",
        "A number is not below its limit",
        "The limit itself is already too much.",
        "Write a number below the one that the message names.",
        schema='{"properties": {"share": {"exclusiveMaximum": 1}}}',
        wrong="share: 1",
        right="share: 0.9",
    ),
    "exclusiveMinimum": _entry(
        "NumberNotAboveLimit",
        "A number is not above its limit",
        "The limit itself is already too little; a weight of zero, for one, would switch an "
        "entry off in silence.",
        "Write a number above the one that the message names.",
        schema='{"properties": {"weight": {"exclusiveMinimum": 0}}}',
        wrong="weight: 0",
        right="weight: 1",
    ),
    "multipleOf": _entry(
        "NotMultiple",
        "A number is not a multiple of its step",
        "Only whole steps are allowed.",
        "Round the number to a multiple of the step that the message names.",
        schema='{"properties": {"timeout": {"multipleOf": 100}}}',
        wrong="timeout: 250",
        right="timeout: 300",
    ),
}

_STRINGS = {
    "maxLength": _entry(
        "TextTooLong",
        "A text is too long",
        "Hosts cut or refuse longer text, and agents load it into every session.",
        "Shorten it to the number of characters that the message names; move detail to the body.",
        schema='{"properties": {"name": {"maxLength": 10}}}',
        wrong="name: fix-every-reported-bug",
        right="name: fix-bug",
    ),
    "minLength": _entry(
        "TextTooShort",
        "A text is too short",
        "An empty text says nothing, and a host treats it as if the key were missing.",
        "Write the text, or leave the key out where it is optional.",
        schema='{"properties": {"description": {"minLength": 1}}}',
        wrong="description: ''",
        right="description: Fix a reported bug.",
    ),
    "pattern": _entry(
        "PatternMismatch",
        "A text does not match its pattern",
        "Names and ids have a fixed form, because other tools build paths, commands and keys "
        "from them. Patterns are ECMAScript regular expressions.",
        "Change the text so that it matches; for a kebab-case name use lower-case letters, "
        "digits and single hyphens.",
        schema='{"properties": {"name": {"pattern": "^[a-z0-9]+(?:-[a-z0-9]+)*$"}}}',
        wrong="name: Fix Bug",
        right="name: fix-bug",
    ),
}

_LISTS = {
    "maxItems": _entry(
        "ListTooLong",
        "A list has too many items",
        "Only so many items are allowed.",
        "Remove items down to the number that the message names.",
        schema='{"properties": {"tags": {"maxItems": 2}}}',
        wrong="tags: [git, tests, review]",
        right="tags: [git, tests]",
    ),
    "minItems": _entry(
        "ListTooShort",
        "A list has too few items",
        "An empty or short list says less than the schema needs.",
        "Add items, or leave the key out where it is optional.",
        schema='{"properties": {"evals": {"minItems": 1}}}',
        wrong="evals: []",
        right="evals:\n  - The session ran the tests.",
    ),
    "items": _entry(
        "UnexpectedItem",
        "A list has more items than the schema has places",
        "Each place of this list has a meaning of its own, and nothing is defined for more.",
        "Remove the items beyond the number that the message names.",
        schema='{"properties": {"range": {"prefixItems": [true, true], "items": false}}}',
        wrong="range: [1, 2, 3]",
        right="range: [1, 2]",
    ),
    "additionalItems": _entry(
        "UnexpectedItem",
        "A list has more items than the schema has places",
        "Each place of this list has a meaning of its own, and nothing is defined for more.",
        "Remove the items beyond the number that the message names.",
        schema='{"$schema": "http://json-schema.org/draft-07/schema#",\n'
        ' "properties": {"range": {"items": [true, true], "additionalItems": false}}}',
        wrong="range: [1, 2, 3]",
        right="range: [1, 2]",
    ),
    "contains": _entry(
        "ListLacksAnItem",
        "A list lacks an item that it must hold",
        "The list is of use only with an item of a certain form, and that one is missing.",
        "Add the item that the schema's `contains` describes.",
        schema='{"properties": {"tools": {"contains": {"const": "Read"}}}}',
        wrong="tools: [Edit]",
        right="tools: [Edit, Read]",
    ),
    "uniqueItems": _entry(
        "DuplicateItems",
        "A list holds the same item twice",
        "A repeated item is mostly a slip, and the second one has no effect.",
        "Remove one of the two items whose numbers the message gives (they count from 0).",
        schema='{"properties": {"tools": {"uniqueItems": true}}}',
        wrong="tools: [Read, Edit, Read]",
        right="tools: [Read, Edit]",
    ),
    "unevaluatedItems": _entry(
        "UnexpectedItem",
        "A list has items that no part of the schema describes",
        "Nothing says what these items mean.",
        "Remove the items beyond the number that the message names.",
        schema='{"properties": {"range":\n'
        '  {"prefixItems": [true, true], "unevaluatedItems": false}}}',
        wrong="range: [1, 2, 3]",
        right="range: [1, 2]",
    ),
}

_MAPPINGS = {
    "required": _entry(
        "MissingKey",
        "A required key is missing",
        "Without it the artifact cannot be listed, chosen or graded as it should.",
        "Add the key that the message names to the mapping at the line given.",
        schema='{"required": ["name", "description"]}',
        wrong="name: fix-bug",
        right="name: fix-bug\ndescription: Fix a reported bug.",
    ),
    "additionalProperties": _entry(
        "UnexpectedKey",
        "A key is not one of those allowed",
        "The mapping is closed: a key that nobody reads has no effect, and most often it is a "
        "misspelled one.",
        "Correct the spelling, move the key to where it belongs, or remove it.",
        schema='{"properties": {"name": true, "license": true}, "additionalProperties": false}',
        wrong="name: fix-bug\nlicence: MIT",
        right="name: fix-bug\nlicense: MIT",
    ),
    "propertyNames": _entry(
        "KeyNameMismatch",
        "The name of a key has the wrong form",
        "The names of these keys follow a form, so that tools can tell them apart. The finding "
        "before this one says which form.",
        "Rename the key.",
        schema='{"propertyNames": {"pattern": "^[a-z-]+$"}}',
        wrong="Used Read: 0.9",
        right="used-read: 0.9",
    ),
    "maxProperties": _entry(
        "TooManyKeys",
        "A mapping has too many keys",
        "Only so many keys are allowed.",
        "Remove keys down to the number that the message names.",
        schema='{"maxProperties": 1}',
        wrong="path: notes.md\nurl: https://docs.example.com/notes",
        right="path: notes.md",
    ),
    "minProperties": _entry(
        "TooFewKeys",
        "A mapping has too few keys",
        "An empty mapping says nothing.",
        "Add keys, or remove the mapping where it is optional.",
        schema='{"properties": {"options": {"minProperties": 1}}}',
        wrong="options: {}",
        right="options: {tool: Read}",
    ),
    "dependentRequired": _entry(
        "MissingCompanionKey",
        "A key lacks the one it depends on",
        "The key has no meaning without its companion.",
        "Add the companion that the message names, or remove the key that asks for it.",
        schema='{"dependentRequired": {"generated-assertion-hash": ["command"]}}',
        wrong="generated-assertion-hash: sha256-0b5c",
        right="command: [npm, test]\ngenerated-assertion-hash: sha256-0b5c",
    ),
    "dependencies": _entry(
        "MissingCompanionKey",
        "A key lacks the one it depends on",
        "The key has no meaning without its companion.",
        "Add the companion that the message names, or remove the key that asks for it.",
        schema='{"$schema": "http://json-schema.org/draft-07/schema#",\n'
        ' "dependencies": {"branch": ["repository"]}}',
        wrong="branch: main",
        right="branch: main\nrepository: docs",
    ),
    "unevaluatedProperties": _entry(
        "UnexpectedKey",
        "A key is described by no part of the schema",
        "Nothing reads this key; most often it is a misspelled one.",
        "Correct the spelling, move the key to where it belongs, or remove it.",
        schema='{"allOf": [{"properties": {"license": true}}], "unevaluatedProperties": false}',
        wrong="licence: MIT",
        right="license: MIT",
    ),
}

KEYWORDS: dict[str, Entry] = _ANY | _NUMBERS | _STRINGS | _LISTS | _MAPPINGS
"""JSON Schema keyword to its texts; the keyword of a schema that is `false` is `false schema`."""
