import SwiftSource

/// What a snapshot of a released version reads when it is asked for: the values that may be in files.
///
/// A fill has the value itself that way, and one that cannot be read ends the migration, where nil would
/// be written in its place. The rows of the head are not migrated, and their snapshots hold what says where
/// the value is.
extension SnapshotEmitter {
  var loadedProperties: [Declaration] {
    plan.allProperties.filter(\.isLoaded).map { property in
      let isOwn = plan.fields.contains { $0.name == property.name }
      return .property(
        Property(
          Heading(
            min(max(property.access, .internal), plan.memberAccess),
            documentation: isOwn ? ["Reads the file, if the value is in one.", ""] + throwing : []),
          "\(name: property.name)", type: "\(property.type)",
          accessors: [.throwingGet([value(property, isOwn: isOwn)])]))
    }
  }

  private var throwing: [String] { ["- Throws: ``ExternalFileError`` when it cannot be read."] }

  private func value(_ property: PropertyPlan, isOwn: Bool) -> Code {
    // Key paths, which lead from a subclass to what it inherits, do not reach what throws.
    guard isOwn else { return "try base.\(name: property.name)" }
    let holder: Code = plan.parent == nil ? "self" : "own"
    let value: Code = "try \(holder).\(name: property.fieldName).load()"
    return property.type.isOptional ? value : "\(value) ?? \(property.type)()"
  }
}
