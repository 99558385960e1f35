// swift-tools-version: 6.3
import Foundation
import PackageDescription

// A user's typical package, with the plugin and no other configuration.
let trellis = ProcessInfo.processInfo.environment["TRELLIS_ROOT"] ?? "../../.."

let package = Package(
  name: "Shop",
  dependencies: [.package(name: "Trellis", path: trellis)],
  targets: [
    // A library with its schema inside and public access.
    .target(
      name: "Catalogue", dependencies: [.product(name: "Trellis", package: "Trellis")],
      swiftSettings: [.treatAllWarnings(as: .error)],
      plugins: [.plugin(name: "GenerateModels", package: "Trellis")]),
    // A library whose configuration requests package access.
    .target(
      name: "Stock", dependencies: [.product(name: "Trellis", package: "Trellis")],
      swiftSettings: [
        .treatAllWarnings(as: .error), .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"), .enableUpcomingFeature("ExistentialAny"),
      ],
      plugins: [.plugin(name: "GenerateModels", package: "Trellis")]),
    // A program with its schema in Schemas/Shop and internal access.
    .executableTarget(
      name: "Shop",
      dependencies: ["Catalogue", "Stock", .product(name: "Trellis", package: "Trellis")],
      swiftSettings: [.treatAllWarnings(as: .error), .defaultIsolation(MainActor.self)],
      plugins: [.plugin(name: "GenerateModels", package: "Trellis")]),
    // Checks that results are correct.
    .executableTarget(
      name: "Answers", dependencies: [.product(name: "Trellis", package: "Trellis")],
      swiftSettings: [.treatAllWarnings(as: .error)],
      plugins: [.plugin(name: "GenerateModels", package: "Trellis")]),
    // Checks that stores of released versions can be opened. It is compiled after a release. It has no schema and uses
    // the plugin only for the predicate macros.
    .testTarget(
      name: "CatalogueTests",
      dependencies: [
        "Catalogue", .product(name: "Trellis", package: "Trellis"),
        .product(name: "TrellisTesting", package: "Trellis"),
      ],
      swiftSettings: [.treatAllWarnings(as: .error)],
      plugins: [.plugin(name: "GenerateModels", package: "Trellis")]),
    // Checks a custom store with the code of the article on custom stores.
    .executableTarget(
      name: "CheckStore",
      dependencies: [
        .product(name: "Trellis", package: "Trellis"),
        .product(name: "StoreConformance", package: "Trellis"),
      ],
      swiftSettings: [
        .treatAllWarnings(as: .error), .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"), .enableUpcomingFeature("ExistentialAny"),
      ]),
  ]
    // Applications written for Apple's SwiftData, with the settings of a new package.
    + ["Clinic", "Newsroom", "Orchard", "Workshop"].map {
      .executableTarget(
        name: $0, dependencies: [.product(name: "SwiftData", package: "Trellis")],
        swiftSettings: [.treatAllWarnings(as: .error)],
        plugins: [.plugin(name: "GenerateModels", package: "Trellis")])
    },
  swiftLanguageModes: [.v6]
)
