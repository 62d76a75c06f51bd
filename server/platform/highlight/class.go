package highlight

import "github.com/alecthomas/chroma/v2"

// class returns the class of words of a kind; empty for plain words, which are most. There are few classes, so that
// pages stay small and the style sheet can give each a color that is readable on light and dark.
func class(kind chroma.TokenType) string {
	switch kind {
	case chroma.NameFunction, chroma.NameFunctionMagic, chroma.NameClass:
		return "hf" // names that are defined
	case chroma.NameTag, chroma.NameDecorator, chroma.NameNamespace:
		return "ht"
	case chroma.NameAttribute, chroma.NameProperty:
		return "ha"
	case chroma.NameBuiltin, chroma.NameBuiltinPseudo, chroma.NameConstant, chroma.KeywordConstant:
		return "hb"
	case chroma.GenericDeleted, chroma.GenericError:
		return "hd"
	case chroma.GenericInserted:
		return "hi"
	case chroma.GenericHeading, chroma.GenericSubheading, chroma.GenericStrong:
		return "hh"
	}
	switch kind.Category() {
	case chroma.Keyword:
		return "hk"
	case chroma.Comment:
		return "hc"
	case chroma.Literal:
		if kind.SubCategory() == chroma.LiteralNumber {
			return "hn"
		}
		return "hs"
	}
	return ""
}
