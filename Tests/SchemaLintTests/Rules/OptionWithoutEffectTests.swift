import Testing

@Suite struct OptionWithoutEffectTests {
  @Test func fires() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Person {
        @Attribute(.allowsCloudEncryption) var phone: String
        //         ^~~~~~~~~~~~~~~~~~~~~~ info[TYP024]: '.allowsCloudEncryption' has no effect: the store keeps the value unencrypted
        @Attribute(.unique, .spotlight) var name: String
        //                  ^~~~~~~~~~ info[TYP024]: '.spotlight' has no effect: no search index of the system gets the value
      }
      """#,
      of: "TYP024")
  }

  @Test func staysSilent() {
    expectFindings(
      #"""
      schema S 1.0.0
      @Model class Person { @Attribute(.unique, .preserveValueOnDeletion) var name: String; var phone: String }
      """#)
  }
}
