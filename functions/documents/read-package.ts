import { unzipSync } from 'fflate'
import { SaxesParser } from 'saxes'
import { DocumentError } from './extracted-text.ts'

/** Parts of an Office Open XML package by path. */
export type Parts = Readonly<Record<string, Uint8Array>>

/** Documents have far fewer; a zip bomb may have millions. */
const maxEntries = 20_000

/**
 * Unpacks the selected parts. A part that is larger than its declared size is truncated, so checking the declared sizes limits memory.
 * @param maxBytes of all selected parts together
 * @throws DocumentError `unreadable` if this is not a package (a password makes it another format), or `tooLarge`
 */
export function unzipParts(bytes: Uint8Array, isWanted: (path: string) => boolean, maxBytes: number): Parts {
  let total = 0
  let entries = 0
  try {
    const parts = unzipSync(bytes, {
      filter({ name, size, originalSize }) {
        entries += 1
        if (entries > maxEntries) throw new DocumentError('tooLarge', 'too many entries')
        if (!isWanted(name)) return false
        // what is stored without compression is copied whole, whatever size it claims, and entries may share their bytes
        total += Math.max(size, originalSize)
        if (total > maxBytes) throw new DocumentError('tooLarge', `unpacks to more than ${maxBytes} bytes`)
        return true
      },
    })
    for (const [path, part] of Object.entries(parts)) rejectEntityDefinitions(path, part)
    return parts
  } catch (error) {
    if (error instanceof DocumentError) throw error
    throw new DocumentError('unreadable', 'no package', { cause: error })
  }
}

/** Office documents have no DOCTYPE. Entities that expand into gigabytes need one. */
function rejectEntityDefinitions(path: string, part: Uint8Array): void {
  const content = Buffer.from(part.buffer, part.byteOffset, part.byteLength)
  if (/\.(xml|rels)$/.test(path) && (content.includes('<!DOCTYPE') || content.includes('<!ENTITY')))
    throw new DocumentError('unreadable', `${path} defines entities`)
}

export interface XmlHandlers {
  /** @param name without its namespace prefix */
  open?: (name: string, attributes: Readonly<Record<string, string>>) => void
  text?: (text: string) => void
  close?: (name: string) => void
}

const toLocalName = (name: string) => name.slice(name.indexOf(':') + 1)
const chunkBytes = 256 * 1024

/** Parses a part without building a tree. @throws DocumentError if it is not XML */
export function parseXml(part: Uint8Array, { open, text, close }: XmlHandlers): void {
  const parser = new SaxesParser()
  if (open)
    parser.on('opentag', ({ name, attributes }) =>
      open(toLocalName(name), attributes as Record<string, string>),
    )
  if (text) parser.on('text', text)
  if (close) parser.on('closetag', ({ name }) => close(toLocalName(name)))
  parser.on('error', (error) => {
    throw new DocumentError('unreadable', 'a part is not XML', { cause: error })
  })
  const decoder = new TextDecoder()
  for (let offset = 0; offset < part.length; offset += chunkBytes)
    parser.write(decoder.decode(part.subarray(offset, offset + chunkBytes), { stream: true }))
  parser.write(decoder.decode()).close()
}

/** The targets of a part's relationships by id, as paths in the package. @param folder base of relative targets */
export function readRelationships(part: Uint8Array | undefined, folder: string): Map<string, string> {
  const targets = new Map<string, string>()
  if (!part) return targets
  parseXml(part, {
    open(name, { Id = '', Target = '' }) {
      if (name !== 'Relationship') return
      targets.set(
        Id,
        Target.startsWith('/') ? Target.slice(1) : new URL(Target, `x:/${folder}/`).pathname.slice(1),
      )
    },
  })
  return targets
}
