// The elements of a Word document that mammoth does not read as they are.

/** Namespaces by their usual prefix; the strict format has others. */
export const namespaces: Readonly<Record<string, string>> = {
  'http://schemas.openxmlformats.org/wordprocessingml/2006/main': 'w',
  'http://purl.oclc.org/ooxml/wordprocessingml/main': 'w',
  'http://schemas.openxmlformats.org/officeDocument/2006/math': 'm',
  'http://purl.oclc.org/ooxml/officeDocument/math': 'm',
  'http://schemas.openxmlformats.org/markup-compatibility/2006': 'mc',
  'urn:schemas-microsoft-com:vml': 'v',
  'http://schemas.openxmlformats.org/drawingml/2006/picture': 'pic',
  'http://purl.oclc.org/ooxml/drawingml/picture': 'pic',
  'http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing': 'wp',
  'http://purl.oclc.org/ooxml/drawingml/wordprocessingDrawing': 'wp',
  'http://schemas.openxmlformats.org/drawingml/2006/chart': 'c',
  'http://purl.oclc.org/ooxml/drawingml/chart': 'c',
  'http://schemas.microsoft.com/office/drawing/2014/chartex': 'c',
  'http://schemas.openxmlformats.org/drawingml/2006/diagram': 'dgm',
  'http://purl.oclc.org/ooxml/drawingml/diagram': 'dgm',
  'urn:schemas-microsoft-com:office:office': 'o',
  'http://schemas.microsoft.com/office/word/2010/wordml': 'w14',
  'http://schemas.openxmlformats.org/drawingml/2006/main': 'a',
  'http://purl.oclc.org/ooxml/drawingml/main': 'a',
}

/** What is counted as not read, by its element. */
export const omitted = {
  'pic:pic': 'pictures',
  'v:imagedata': 'pictures',
  'o:OLEObject': 'embedded',
  'w:altChunk': 'embedded',
} as const

/** What tracked changes are called in the text. */
export const changes: Readonly<Record<string, string>> = {
  'w:ins': 'inserted',
  'w:del': 'deleted',
  'w:moveFrom': 'moved from here',
  'w:moveTo': 'moved to here',
}

/** Containers whose tags mammoth does not know, but whose content is text. */
export const unwrapped =
  /^(?:mc:AlternateContent|mc:Choice|m:oMathPara|w:drawing|w:bdo|w:dir|w:fldSimple|w:ruby|w:rubyBase|v:.*)$/
/** Earlier formatting, and the second form of what is there already. */
export const skipped =
  /^(?:mc:Fallback|w:pPrChange|w:rPrChange|w:tblPrChange|w:trPrChange|w:tcPrChange|w:sectPrChange|w:rt)$/

/** Elements without an end that separate words, or stand for text: all of ECMA-376-1, 17.3.3, that mammoth does not know. */
export const separators: Readonly<Record<string, string>> = {
  'w:ptab': '\t',
  'w:cr': '\n',
  'w:pgNum': '[page]',
  ...Object.fromEntries(
    ['day', 'month', 'year'].flatMap((part) =>
      ['Short', 'Long'].map((form) => [`w:${part}${form}`, '[date]']),
    ),
  ),
}

/** Elements whose text is not for readers: codes of fields, positions of drawings. */
export const technical =
  /^(?:w:(?:t|delText|instrText|delInstrText|fldData)|w14:.*|wp:.*|o:.*|[^:]*:(?:pct\w+|posOffset|align|Anchor|ClientData))$/
