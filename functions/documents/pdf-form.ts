import { constants, inflateSync } from 'node:zlib'
import { getDocumentProxy } from 'unpdf'
import * as z from 'zod'
import { parseXml } from './read-package.ts'

// Dynamic forms (XFA): the pages of such a PDF only say that another program is needed.

const maxFormBytes = 8 * 1024 * 1024
const maxStreams = 500

interface FormNode {
  name?: string | undefined
  value?: string | undefined
  attributes?: Record<string, unknown> | undefined
  children?: FormNode[] | undefined
}
const formNode: z.ZodType<FormNode> = z.lazy(() =>
  z.object({
    name: z.string().optional().catch(undefined),
    value: z.string().optional().catch(undefined),
    attributes: z.record(z.string(), z.unknown()).optional().catch(undefined),
    children: z.array(formNode).optional().catch(undefined),
  }),
)

/** The texts of the form as pdf.js lays it out. */
function listTexts(node: FormNode, texts: string[]): void {
  const { name = '', value, attributes = {}, children = [] } = node
  const isChosen = name === 'input' && /^"(?:checkbox|radio)"$/.test(JSON.stringify(attributes['type'] ?? ''))
  if (isChosen) texts.push(attributes['checked'] ? '[x]' : '[ ]')
  else if (name === 'option') {
    if (attributes['selected'] && value !== undefined) texts.push(value)
  } else {
    const own =
      value ??
      attributes['textContent'] ??
      (name === 'input' || name === 'textarea' ? attributes['value'] : undefined)
    if (typeof own === 'string' && own.trim() !== '') texts.push(own.trim())
  }
  for (const child of children) listTexts(child, texts)
}

async function layOut(pdf: Uint8Array, options: object): Promise<string> {
  try {
    const document = await getDocumentProxy(pdf.slice(), { ...options, enableXfa: true })
    const root = formNode.safeParse(document.allXfaHtml)
    const texts: string[] = []
    if (root.success) listTexts(root.data, texts)
    return texts.join('\n')
  } catch {
    return ''
  }
}

/** The values of a form: `name: value` for each element without others (XFA 3.3, data). */
function readValues(packet: Uint8Array): string[] {
  const lines: string[] = []
  let isData = 0
  let isLeaf = false
  let text = ''
  parseXml(packet, {
    open(name) {
      if (name === 'data' || name === 'datasets') isData += 1
      isLeaf = true
      text = ''
    },
    text(part) {
      text += part
    },
    close(name) {
      if (isData > 0 && isLeaf && text.trim() !== '' && name !== 'data') lines.push(`${name}: ${text.trim()}`)
      if (name === 'data' || name === 'datasets') isData -= 1
      isLeaf = false
    },
  })
  return lines
}

/** The XML of a form is in a stream of its own. */
function* listPackets(pdf: Uint8Array): Generator<Uint8Array> {
  const content = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength)
  let count = 0
  for (
    let at = content.indexOf('stream');
    at >= 0 && count < maxStreams;
    at = content.indexOf('stream', at + 6)
  ) {
    if (content.toString('latin1', at - 3, at) === 'end') continue
    count += 1
    const from = content[at + 6] === 0x0d ? at + 8 : at + 7
    const packet = tryUnpack(content.subarray(from, from + maxFormBytes))
    if (packet) yield packet
  }
}

function tryUnpack(stream: Buffer): Uint8Array | undefined {
  const isPacket = (bytes: Buffer) =>
    /<(?:xdp:xdp|xfa:datasets)[\s>]/.test(bytes.toString('latin1', 0, 1_000))
  const unpack = (bytes: Buffer, maxOutputLength: number) =>
    inflateSync(bytes, { maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH })
  try {
    // its beginning first: most streams are something else
    if (!isPacket(unpack(stream.subarray(0, 1_024), 4 * 1024 * 1024))) return undefined
    return unpack(stream, maxFormBytes)
  } catch {
    return undefined
  }
}

/** The texts and values of a dynamic form. @param options of pdf.js @returns empty if they cannot be read */
export async function formatForm(pdf: Uint8Array, options: object): Promise<string> {
  const shown = await layOut(pdf, options)
  const values: string[] = []
  if (shown === '')
    for (const packet of listPackets(pdf))
      try {
        values.push(...readValues(packet))
      } catch {
        // one packet does not cost the others
      }
  const text = shown === '' ? values.join('\n') : shown
  return text === '' ? '' : `Form:\n${text}`
}
