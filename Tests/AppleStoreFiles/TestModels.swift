package import SchemaImport

/// Models that tests archive and import.
package enum TestModels {
  package static func entity(
    _ name: String, parent: String? = nil, _ attributes: [CoreDataAttribute] = [],
    _ relationships: [CoreDataRelationship] = []
  ) -> CoreDataEntity {
    var entity = CoreDataEntity(name: name, line: 1)
    entity.className = name
    entity.parent = parent
    entity.attributes = attributes.sorted { $0.name < $1.name }
    entity.relationships = relationships.sorted { $0.name < $1.name }
    return entity
  }

  package static func attribute(
    _ name: String, _ type: String, optional: Bool = false, className: String? = nil, external: Bool = false,
    composite: String? = nil, default text: String? = nil
  ) -> CoreDataAttribute {
    var attribute = CoreDataAttribute(name: name, line: 1)
    attribute.type = type
    attribute.isOptional = optional
    attribute.className = className
    attribute.isExternal = external
    attribute.composite = composite
    attribute.defaultText = text
    return attribute
  }

  package static func toOne(_ name: String, _ destination: String, _ inverse: String?, required: Bool = false)
    -> CoreDataRelationship
  {
    var relationship = toMany(name, destination, inverse)
    relationship.isToMany = false
    relationship.isOptional = !required
    return relationship
  }

  package static func toMany(
    _ name: String, _ destination: String, _ inverse: String?, ordered: Bool = false, rule: String = "Nullify"
  ) -> CoreDataRelationship {
    var relationship = CoreDataRelationship(name: name, line: 1)
    relationship.destination = destination
    relationship.inverse = inverse
    relationship.inverseEntity = inverse == nil ? nil : destination
    relationship.isToMany = true
    relationship.isOptional = true
    relationship.isOrdered = ordered
    relationship.deletionRule = rule
    return relationship
  }

  package static func model(_ entities: [CoreDataEntity], _ composites: [CoreDataComposite] = []) -> CoreDataModel {
    var model = CoreDataModel()
    model.identifier = "1.0"
    model.entities = entities.sorted { $0.name < $1.name }
    model.composites = composites
    return model
  }

  package static func composite(_ name: String, _ attributes: [CoreDataAttribute]) -> CoreDataComposite {
    CoreDataComposite(name: name, attributes: attributes, line: 1)
  }

  /// Inheritance, a composite, defaults of every type, an index and a unique constraint.
  package static var travel: CoreDataModel {
    var day = attribute("day", "Date", optional: true)
    day.defaultDate = "86400.0"
    var renamed = attribute("title", "String", default: "untitled")
    renamed.identity.renaming = "name"
    renamed.isPreserved = true
    var trip = entity(
      "Trip",
      [
        renamed, day, attribute("nights", "Integer 16", default: "-3"), attribute("price", "Decimal", default: "12.50"),
        attribute("debt", "Decimal", default: "-0.07"), attribute("weight", "Double", default: "1.5"),
        attribute("isPaid", "Boolean", default: "YES"), attribute("photo", "Binary", optional: true, external: true),
        attribute("key", "UUID"), attribute("link", "URI", optional: true),
        attribute("address", "Composite", optional: true, className: "Address", composite: "Address"),
        attribute("tags", "Transformable", className: "Array<String>"),
      ],
      [toMany("stops", "Stop", "trip", ordered: true, rule: "Cascade"), toOne("guide", "Guide", nil)])
    trip.uniques = [CoreDataUnique(names: ["key"], line: 1)]
    trip.indexes = [
      CoreDataIndex(
        name: "byDay", elements: [.init(property: "day", isDescending: true), .init(property: "title")], predicate: nil,
        line: 1)
    ]
    trip.userInfo = [CoreDataNamed(name: "colour", detail: "blue", line: 1)]
    var stop = entity("Stop", [attribute("place", "String")], [toOne("trip", "Trip", "stops")])
    stop.isAbstract = true
    return model(
      [
        trip, stop, entity("Halt", parent: "Stop", [attribute("minutes", "Integer 32")]),
        entity("Guide", [attribute("name", "String")]),
      ],
      [
        composite(
          "Address", [attribute("street", "String"), attribute("floor", "Integer 64", optional: true)])
      ])
  }
}
