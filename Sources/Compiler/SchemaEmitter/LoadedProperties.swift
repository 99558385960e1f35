import SwiftSource

/// Emits snapshot properties of a released version that read external files on access.
///
/// A `fill` can then use the value itself, and the migration stops at an unreadable file instead of writing `nil`. The
/// head's rows are not migrated, so their snapshots hold the file's location instead.
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
    // Key paths to inherited properties do not support throwing getters.
    guard isOwn else { return "try base.\(name: property.name)" }
    let holder: Code = plan.parent == nil ? "self" : "own"
    let value: Code = "try \(holder).\(name: property.fieldName).load()"
    return property.type.isOptional ? value : "\(value) ?? \(property.type)()"
  }
}
