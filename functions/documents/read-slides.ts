import { DocumentError, TextCollector, type ExtractedText } from './extracted-text.ts'
import { readRelationships, unzipParts, parseXml, type Parts } from './read-package.ts'

const maxBytes = 64 * 1024 * 1024
const partPattern = /^ppt\/(presentation\.xml|_rels\/presentation\.xml\.rels|slides\/[^/]+\.xml)$/

function listSlides(parts: Parts): string[] {
  const presentation = parts['ppt/presentation.xml']
  if (!presentation) throw new DocumentError('unreadable', 'no presentation')
  const targets = readRelationships(parts['ppt/_rels/presentation.xml.rels'], 'ppt')
  const paths: string[] = []
  parseXml(presentation, {
    open(name, attributes) {
      const path = name === 'sldId' ? targets.get(attributes['r:id'] ?? '') : undefined
      if (path) paths.push(path)
    },
  })
  return paths
}

function readSlideText(part: Uint8Array): string {
  let text = ''
  let inText = false
  parseXml(part, {
    open(name) {
      inText = name === 't'
      if (name === 'br') text += '\n'
    },
    text(content) {
      if (inText) text += content
    },
    close(name) {
      inText = false
      if (name === 'p') text += '\n'
    },
  })
  return text.replace(/\n{2,}/g, '\n').trim()
}

/** @throws DocumentError */
export function readSlides(bytes: Uint8Array): ExtractedText {
  const parts = unzipParts(bytes, (path) => partPattern.test(path), maxBytes)
  const text = new TextCollector()
  listSlides(parts).forEach((path, index) => {
    const part = parts[path]
    const content = part ? readSlideText(part) : ''
    if (content !== '') text.add(`${text.length > 0 ? '\n\n' : ''}Slide ${index + 1}\n${content}`)
  })
  return text.end()
}
