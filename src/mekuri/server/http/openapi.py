"""The OpenAPI description of values that are not sent as their type says: cards, sets of cards, means, and arguments of texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from litestar.openapi.spec import OpenAPIType, Schema
from litestar.plugins import OpenAPISchemaPlugin
from litestar.typing import FieldDefinition

from mekuri.bots.figures import Mean
from mekuri.cards import Card, Cards
from mekuri.engine import presentation

if TYPE_CHECKING:
    from litestar._openapi.schema_generation import SchemaCreator


class Notation(OpenAPISchemaPlugin):
    """Describes cards as notation, as `mekuri.protocol.coding.schema_of` does."""

    @staticmethod
    def is_plugin_supported_type(value: Any) -> bool:
        """Return whether this is a type that travels otherwise."""
        return value in (Card, Cards, Mean, presentation.Args)

    def to_openapi_schema(self, field_definition: FieldDefinition, schema_creator: SchemaCreator) -> Schema:
        """Return the description of a type."""
        text = Schema(type=OpenAPIType.STRING)
        row = Schema(type=OpenAPIType.ARRAY, items=text)
        if field_definition.annotation is Mean:
            return Schema(type=OpenAPIType.NUMBER)
        if field_definition.annotation in (Card, Cards):
            return text if field_definition.annotation is Card else row
        nested = schema_creator.for_field_definition(FieldDefinition.from_annotation(presentation.Text))
        argument = Schema(one_of=[Schema(type=OpenAPIType.INTEGER), text, row, nested])
        return Schema(type=OpenAPIType.OBJECT, additional_properties=argument)
