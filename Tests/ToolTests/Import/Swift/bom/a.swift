import SwiftData
@Model class Bom {
	var name: String = ""
	@Relationship(deleteRule: .cascade) var kids: [Bom] = []
	var tab:	Int = 0
}
