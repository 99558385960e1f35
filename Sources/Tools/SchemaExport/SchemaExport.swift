/// Schemas as JSON and in other languages.
package enum SchemaExport {}
