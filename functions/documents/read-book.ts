import { decodeText } from './decode-text.ts'
import { DocumentError, OmissionCounter, TextCollector, type ExtractedText } from './extracted-text.ts'
import { readHtmlText } from './html-text.ts'
import { DocumentPackage, parseXml } from './read-package.ts'
import { addText } from './read-text.ts'

const maxBytes = 100 * 1024 * 1024

/** What the package document says of the book (EPUB 3.3, 5). */
interface Outline {
  title: string
  authors: string[]
  chapters: string[]
  pictures: number
}

function readOutline(part: Uint8Array, folder: string): Outline {
  const outline: Outline = { title: '', authors: [], chapters: [], pictures: 0 }
  const items = new Map<string, { path: string; type: string }>()
  const order: string[] = []
  let element = ''
  parseXml(part, {
    open(name, { id = '', href = '', idref = '', 'media-type': type = '' }) {
      element = name
      if (name === 'item') items.set(id, { path: resolve(folder, href), type })
      if (name === 'itemref') order.push(idref)
      if (name === 'creator') outline.authors.push('')
    },
    text(text) {
      if (element === 'title') outline.title += text
      if (element === 'creator') outline.authors[outline.authors.length - 1] += text
    },
    close() {
      element = ''
    },
  })
  outline.chapters = order.flatMap((id) => items.get(id)?.path ?? [])
  outline.pictures = [...items.values()].filter(({ type }) => type.startsWith('image/')).length
  return outline
}

function resolve(folder: string, href: string): string {
  try {
    return decodeURIComponent(new URL(href, `x:/${folder}`).pathname).slice(1)
  } catch {
    return `${folder}${href}`
  }
}

export async function readBook(bytes: Uint8Array): Promise<ExtractedText> {
  const omissions = new OmissionCounter()
  const book = new DocumentPackage(bytes, maxBytes, omissions)
  let main = ''
  parseXml(book.require('META-INF/container.xml'), {
    open(name, { 'full-path': path = '' }) {
      if (name === 'rootfile' && main === '') main = path
    },
  })
  // a path, which some programs write as an address
  if (!book.has(main)) main = resolve('', main)
  const folder = main.slice(0, main.lastIndexOf('/') + 1)
  const { title, authors, chapters, pictures } = readOutline(book.require(main), folder)
  omissions.add('pictures', pictures)
  // fonts may be encrypted; a book whose chapters are cannot be read
  const protectedPaths = new Set<string>()
  const encryption = book.read('META-INF/encryption.xml')
  if (encryption)
    parseXml(encryption, {
      open(name, { URI = '' }) {
        if (name === 'CipherReference') protectedPaths.add(resolve('', URI))
      },
    })
  const text = new TextCollector()
  text.add([title.trim(), ...authors.map((author) => author.trim())].filter(Boolean).join('\n'))
  for (const [index, path] of chapters.entries()) {
    if (protectedPaths.has(path)) throw new DocumentError('unreadable', 'the book is encrypted')
    // chapters are pages, whatever their names end with
    const part = book.tryRead(path, omissions, (content) => content, true)
    const content = part && (await readChapter(part, omissions))
    if (part)
      addText(text, content ? `${text.length > 0 ? '\n\n' : ''}${content}` : '', {
        label: `chapter ${index + 1}`,
        title: '',
      })
  }
  return { ...text.end(), ...omissions.list() }
}

async function readChapter(part: Uint8Array, omissions: OmissionCounter): Promise<string> {
  const own = new OmissionCounter()
  const { text: html, damaged } = await decodeText(part)
  own.add('damagedCharacters', damaged)
  const text = readHtmlText(html, { omissions: own })
  omissions.addPage(own)
  return text
}
