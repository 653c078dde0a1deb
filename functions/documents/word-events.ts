import { SaxesParser } from 'saxes'
import { runParser, withoutSoftHyphens, type XmlAttributes } from './read-package.ts'

/** Namespaces by their usual prefix; the strict format has others. */
const namespaces: Readonly<Record<string, string>> = {
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

/** Earlier formatting, and the second form of what is there already. */
const skipped =
  /^(?:mc:Fallback|w:pPrChange|w:rPrChange|w:tblPrChange|w:trPrChange|w:tcPrChange|w:sectPrChange|w:rt)$/

/** What a part of a Word document consists of. Names have their usual prefix, whatever the document calls the namespace. */
export interface WordHandlers {
  open: (name: string, attributes: XmlAttributes) => void
  text: (text: string) => void
  close: (name: string) => void
}

/** Reads a part without what stands for earlier formatting, or for another form of the same. @throws DocumentError if it is not XML */
export function parseWord(part: Uint8Array, handlers: WordHandlers): void {
  const parser = new SaxesParser()
  const prefixes = new Map<string, string>()
  const names = new Map<string, string>()
  /** the open elements, with how many forms of their content were read */
  const opened: { name: string; choices: number }[] = []
  let skipDepth = 0

  function normalize(name: string, attributes: XmlAttributes): string {
    for (const attribute in attributes)
      if (attribute.startsWith('xmlns')) {
        const usual = namespaces[attributes[attribute] ?? '']
        names.clear()
        if (usual === undefined) prefixes.delete(attribute.slice(6))
        else prefixes.set(attribute.slice(6), usual)
      }
    const known = names.get(name)
    if (known !== undefined) return known
    const at = name.indexOf(':')
    const prefix = name.slice(0, Math.max(0, at))
    const normalized = `${prefixes.get(prefix) ?? `?${prefix}`}:${name.slice(at + 1)}`
    names.set(name, normalized)
    return normalized
  }
  /** Programs read the first of several forms that they know. */
  function isFurtherChoice(name: string): boolean {
    const parent = opened.at(-1)
    if (name !== 'mc:Choice' || !parent) return false
    parent.choices += 1
    return parent.choices > 1
  }
  const addText = (content: string) => {
    if (skipDepth === 0) handlers.text(withoutSoftHyphens(content))
  }

  parser.on('opentag', ({ name: written, attributes }) => {
    const name = normalize(written, attributes as XmlAttributes)
    if (skipDepth > 0 || skipped.test(name) || isFurtherChoice(name)) {
      skipDepth += 1
      return
    }
    opened.push({ name, choices: 0 })
    handlers.open(name, attributes as XmlAttributes)
  })
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('closetag', () => {
    if (skipDepth > 0) skipDepth -= 1
    else handlers.close(opened.pop()?.name ?? '')
  })
  runParser(parser, part)
}
