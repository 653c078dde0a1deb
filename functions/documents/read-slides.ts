import { DocumentError, OmissionCounter, TextCollector, type ExtractedText } from './extracted-text.ts'
import {
  DocumentPackage,
  parseXml,
  readAttribute,
  readRelationshipId,
  type Relationship,
} from './read-package.ts'
import { readPlaceholders, readShapes, type Placeholders } from './read-shapes.ts'

const maxBytes = 64 * 1024 * 1024

function listSlideIds(presentation: Uint8Array): string[] {
  const ids: string[] = []
  parseXml(presentation, {
    open(name, attributes) {
      if (name === 'sldId') ids.push(readRelationshipId(attributes))
    },
  })
  return ids
}

function readAuthors(part: Uint8Array): Map<string, string> {
  const authors = new Map<string, string>()
  parseXml(part, {
    open(name, attributes) {
      if (name === 'cmAuthor' || name === 'author')
        authors.set(readAttribute(attributes, 'id'), readAttribute(attributes, 'name'))
    },
  })
  return authors
}

function readComments(part: Uint8Array, authors: ReadonlyMap<string, string>): string[] {
  const comments: string[] = []
  let author = ''
  let text = ''
  let inText = false
  const end = () => {
    if (text.trim() !== '') comments.push(`[comment${author && ` by ${author}`}: ${text.trim()}]`)
    text = ''
  }
  parseXml(part, {
    open(name, attributes) {
      if (name === 'cm' || name === 'reply') {
        end()
        author = authors.get(readAttribute(attributes, 'authorId')) ?? ''
      }
      inText = name === 't' || name === 'text'
    },
    text(piece) {
      if (inText) text += piece
    },
    close(name) {
      inText = false
      if (name === 'p') text += '\n'
      if (name === 'cm' || name === 'reply') end()
    },
  })
  return comments
}

function isHiddenSlide(slide: Uint8Array): boolean {
  const start = new TextDecoder().decode(slide.subarray(0, 4_096))
  return /<(?:\w{1,20}:)?sld\s[^<>]*\bshow=["'](?:0|false)["']/.test(start)
}

const isRightToLeftShow = (presentation: Uint8Array) =>
  /<(?:\w{1,20}:)?presentation\s[^<>]*\brtl=["'](?:1|true)["']/.test(
    new TextDecoder().decode(presentation.subarray(0, 4_096)),
  )

export function readSlides(bytes: Uint8Array): ExtractedText {
  const omissions = new OmissionCounter()
  const documentPackage = new DocumentPackage(bytes, maxBytes, omissions)
  const path = documentPackage.findMain()
  const related = documentPackage.relationships(path)
  const presentation = documentPackage.require(path)
  const slideIds = listSlideIds(presentation)
  const isRightToLeft = isRightToLeftShow(presentation)
  const placeholdersByLayout = new Map<string, Placeholders>()
  const authors = new Map(
    related
      .filter(({ type }) => type === 'commentAuthors' || type === 'authors')
      .flatMap((author) => [...(tryRead(author, readAuthors) ?? [])]),
  )
  omissions.add('macros', related.filter(({ type }) => type === 'vbaProject').length)
  const text = new TextCollector()
  let slidesRead = 0
  for (const [index, id] of slideIds.entries()) {
    const slide = related.find((one) => one.id === id)
    const content = slide && tryRead(slide, (part) => readSlide(part, slide.path))
    if (!content) continue
    slidesRead += 1
    const { blocks, isHidden } = content
    if (isHidden) omissions.note('hidden')
    const title = `Slide ${index + 1}`
    text.add(
      blocks.length === 0
        ? ''
        : `${text.length > 0 ? '\n\n' : ''}${title}${isHidden ? ' (hidden)' : ''}\n${blocks.join('\n')}`,
      { label: `slide ${index + 1}`, title },
    )
  }
  if (slidesRead === 0 && slideIds.length > 0) throw new DocumentError('unreadable', 'no slide can be read')
  return { ...text.end(), ...omissions.list() }

  function findPlaceholders(of: readonly Relationship[], type: 'slideLayout' | 'slideMaster'): Placeholders {
    const layout = of.find((one) => one.type === type)
    if (!layout) return new Map()
    const known = placeholdersByLayout.get(layout.path)
    if (known) return known
    const inherited =
      type === 'slideLayout'
        ? findPlaceholders(documentPackage.relationships(layout.path), 'slideMaster')
        : new Map()
    // what is drawn on a layout is no content of the document
    const own = documentPackage.tryRead(layout.path, new OmissionCounter(), (part) =>
      readPlaceholders(part, new OmissionCounter(), inherited),
    )
    const all: Placeholders = new Map([...inherited, ...(own ?? [])])
    placeholdersByLayout.set(layout.path, all)
    return all
  }

  function readSlide(part: Uint8Array, slidePath: string) {
    const slideRelated = documentPackage.relationships(slidePath)
    const read = <Item>(types: string, reader: (related: Uint8Array) => Item[]) =>
      slideRelated
        .filter(({ type }) => types.split(' ').includes(type))
        .flatMap((one) => tryRead(one, reader) ?? [])
    const notes = slideRelated
      .filter(({ type }) => type === 'notesSlide')
      .flatMap((note) => {
        const notesRelated = documentPackage.relationships(note.path)
        return (
          tryRead(note, (bytesOfNote) =>
            readShapes(bytesOfNote, new OmissionCounter(), { onlyBody: true, related: notesRelated }),
          ) ?? []
        )
      })
    return {
      isHidden: isHiddenSlide(part),
      blocks: [
        ...readShapes(part, omissions, {
          related: slideRelated,
          tryRead: (relatedPath, readPart) => documentPackage.tryRead(relatedPath, omissions, readPart),
          placeholders: findPlaceholders(slideRelated, 'slideLayout'),
          isRightToLeft,
        }),
        ...read('comments', (comments) => readComments(comments, authors)),
        ...notes.map((note) => `Speaker notes: ${note}`),
      ],
    }
  }

  function tryRead<Result>(
    { path: partPath }: Relationship,
    read: (part: Uint8Array) => Result,
  ): Result | undefined {
    return documentPackage.tryRead(partPath, omissions, read)
  }
}
