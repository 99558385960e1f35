import Foundation
import SwiftData

enum VehiclesV1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Car.self, Bus.self] }

    @Model class Vehicle: NSObject {
        var name: String
        var fuel: Fuel = Fuel.none
        init(name: String) { self.name = name }
    }
    @available(macOS 26, *)
    @Model final class Car: Vehicle, @unchecked Sendable {
        var doors: Int = 4
        override init(name: String) { super.init(name: name) }
    }
    @available(macOS 26, *)
    @Model final class Bus: Vehicle {
        var seats: Int = 40
        var lines: [String] = []
        override init(name: String) { super.init(name: name) }
    }
    enum Fuel: Codable, Hashable { case none, electric(kilowattHours: Double), mixed(String, Int?) }
}
