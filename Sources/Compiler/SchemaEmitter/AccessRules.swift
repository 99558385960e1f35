import SchemaModel
import SwiftSource

/// Determines the access of generated declarations: explicit access takes precedence over the option, and a member is
/// never more visible than its type.
struct AccessRules {
  let option: EmissionInput.DefaultAccess
  /// The access of the types that enclose the models in a Swift file.
  var limit = Access.open

  /// The access of a file-level type. `private` would hide the type from the remaining generated files.
  func type(_ written: AccessLevel?) -> Access {
    min(written.map { max(Self.access($0), .internal) } ?? optional, limit)
  }

  /// The access of a member, limited by its type's access.
  func member(_ written: AccessLevel?, in type: Access) -> Access {
    let own = written.map(Self.access) ?? optional
    return min(own == .open ? .public : own, bound(type))
  }

  /// The access of protocol requirements.
  func bound(_ type: Access) -> Access { type == .open ? .public : type }

  /// The access to add to carried declarations that state none; `nil` to add nothing.
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
