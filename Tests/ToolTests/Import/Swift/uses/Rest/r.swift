struct Sizes { var size: Int }
