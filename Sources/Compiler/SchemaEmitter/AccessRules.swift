import SchemaModel
import SwiftSource

/// Determines the access levels of generated declarations. A level that the schema states takes precedence over the
/// option, and a member is never more visible than its type.
struct AccessRules {
  let option: EmissionInput.DefaultAccess
  /// The access level of the types that enclose the models in a Swift file.
  var limit = Access.open

  /// Returns the access level of a file-level type: at least `internal`, because `private` would hide the type from the
  /// other generated files.
  func type(_ written: AccessLevel?) -> Access {
    min(written.map { max(Self.access($0), .internal) } ?? optional, limit)
  }

  /// Returns a member's access level, limited by the level of its type.
  func member(_ written: AccessLevel?, in type: Access) -> Access {
    let own = written.map(Self.access) ?? optional
    return min(own == .open ? .public : own, bound(type))
  }

  /// Returns the access level of members that implement protocol requirements.
  func bound(_ type: Access) -> Access { type == .open ? .public : type }

  /// Returns the access level to add to copied declarations that state none; `nil` to add nothing.
  func carried(in type: Access) -> Access? {
    let access = min(optional, bound(type))
    return access == .internal ? nil : access
  }

  private var optional: Access {
    switch option {
    case .internal: .internal
    case .package: .package
    case .public: .public
    }
  }

  static func access(_ level: AccessLevel) -> Access {
    switch level {
    case .private: .private
    case .fileprivate: .fileprivate
    case .internal: .internal
    case .package: .package
    case .public: .public
    case .open: .open
    }
  }
}
