import Foundation
import SwiftData

enum Versions {
    enum SchemaV1: VersionedSchema {
        static let versionIdentifier = Schema.Version(1, 0, 0)
        static var models: [any PersistentModel.Type] { [Trip.self, Stop.self, Ticket.self] }

        @Model final class Trip {
            var name: String
            var nickname: String?
            var budget: Double = 0
            var kind: Kind = Kind.short
            @Relationship(deleteRule: .nullify, inverse: \Stop.trip) var stops: [Stop] = []
            init(name: String) { self.name = name }
            enum Kind: String, Codable { case short, long, other }
        }
        @Model final class Stop { var place: String = ""; var trip: Trip?; init() {} }
        @Model final class Ticket { var code: String = ""; init() {} }
    }

    enum SchemaV2: VersionedSchema {
        static let versionIdentifier = Schema.Version(1, 1, 0)
        static var models: [any PersistentModel.Type] { [Trip.self, Stop.self] }

        // nickname and Ticket go, the links are deleted with their trip; a lightweight stage.
        @Model final class Trip {
            @Attribute(originalName: "name") var title: String
            var budget: Double = 0
            var kind: Kind = Kind.short
            @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop] = []
            init(title: String) { self.title = title }
            enum Kind: String, Codable { case short, long }
        }
        @Model final class Stop { var place: String = ""; var trip: Trip?; init() {} }
    }

    enum SchemaV3: VersionedSchema {
        static let versionIdentifier = Schema.Version(2, 0, 0)
        static var models: [any PersistentModel.Type] { [Trip.self, Stop.self] }

        // Cents are required, titles unique: a custom stage.
        @Model final class Trip {
            #Unique<Trip>([\.title])
            var title: String
            var cents: Int
            var kind: Kind = Kind.short
            @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop] = []
            init(title: String, cents: Int) { self.title = title; self.cents = cents }
            enum Kind: String, Codable { case short, long }
        }
        @Model final class Stop { var place: String = ""; var trip: Trip?; init() {} }
    }

    enum SchemaV4: VersionedSchema {
        static let versionIdentifier = Schema.Version(3, 0, 0)
        static var models: [any PersistentModel.Type] { [Trip.self, Stop.self] }

        // No stage says anything about this step.
        @Model final class Trip {
            #Unique<Trip>([\.title])
            @Attribute(originalName: "heading") var title: String
            var cents: Int32
            @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop] = []
            init(title: String, cents: Int32) { self.title = title; self.cents = cents }
        }
        @Model final class Stop { @Attribute(.unique) var place: String = ""; var trip: Trip?; var order: Int; init() { order = 0 } }
    }
}
