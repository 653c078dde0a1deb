import { SaxesParser } from 'saxes'
import { runParser, withoutSoftHyphens, type XmlAttributes } from './read-package.ts'

/** Namespaces by their usual prefix; the strict format has others. */
const namespaces: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    'w:wordprocessingml/main m:officeDocument/math pic:drawingml/picture wp:drawingml/wordprocessingDrawing c:drawingml/chart dgm:drawingml/diagram a:drawingml/main'
      .split(' ')
      .map((pair) => pair.split(/[:/]/) as [prefix: string, of: string, name: string])
      .flatMap(([prefix, of, name]) => [
        [`http://schemas.openxmlformats.org/${of}/2006/${name}`, prefix],
        [`http://purl.oclc.org/ooxml/${of}/${name}`, prefix],
      ]),
  ),
  'http://schemas.openxmlformats.org/markup-compatibility/2006': 'mc',
  'urn:schemas-microsoft-com:vml': 'v',
  'http://schemas.microsoft.com/office/drawing/2014/chartex': 'c',
  'urn:schemas-microsoft-com:office:office': 'o',
  'http://schemas.microsoft.com/office/word/2010/wordml': 'w14',
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
