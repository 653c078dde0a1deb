import type { ReadingFileDeps } from '../../files/file-links.ts'
import type { StoredFile } from '../../files/file-row.ts'
import { readTextRange } from '../../files/read-text-range.ts'
import { closeTag, joinParts, renderTag } from './attachment-tags.ts'
import { findImageObject } from './render-attachment.ts'
import { notStored, toFileUse, toImageUrl, type AttachmentContext } from './render-attachment.ts'
import { hasText, textGone } from './document-text.ts'
import { readPages, showPages } from './shown-pages.ts'
import type { PromptMessage } from './prompt.ts'
import type { GivenFile } from './transcript.ts'

const notAgain = 'given earlier, not shown again: read_attachment and search_files still have it'
const imageNotAgain = 'an earlier image, not shown again'

/** Objects read at once. */
const readsAtOnce = 6

/** The part of a text that was given. A short text stands in the row. */
async function readGivenText(
  { store }: Pick<ReadingFileDeps, 'store'>,
  sub: string,
  file: StoredFile,
  { characters }: GivenFile,
): Promise<string | undefined> {
  if (!hasText(file)) return undefined
  const { extracted_text: beginning = '', text } = file
  if (beginning.length === characters && text.characters === characters) return beginning
  return readTextRange(store, sub, file, { from: 0, to: characters })
}

/** A file as it was given before, with the same tag and the same part of it. @throws ObjectStoreUnavailable */
async function renderAgain(
  deps: ReadingFileDeps,
  sub: string,
  file: StoredFile,
  given: GivenFile,
): Promise<AttachmentContext> {
  const { tag, head, characters, image } = given
  const text = characters > 0 ? await readGivenText(deps, sub, file, given) : ''
  if (text === undefined) return { text: renderTag(file, textGone) }
  const object = image ? findImageObject(sub, file) : undefined
  const bytes = object && (await deps.store.read(object.key))
  if (image && !bytes) return { text: renderTag(file, 'its content is not there any more') }
  const pages =
    given.pictures + given.pdfs > 0
      ? showPages(file, await readPages(deps.store, sub, file, given), (note) => renderTag(file, note)).parts
      : []
  return {
    text: closeTag(tag, joinParts([head, text])),
    ...(object && bytes && { image: toImageUrl(object.type, bytes) }),
    ...(pages.length > 0 && { pages }),
    ...(hasText(file) && { use: toFileUse(file, characters) }),
  }
}

/** A file of a turn whose results and files are given in short. */
const renderShort = (
  file: StoredFile,
  { tag, head, characters, image, pictures, pdfs }: GivenFile,
): AttachmentContext => ({
  text:
    characters + pictures + pdfs > 0
      ? renderTag(file, notAgain, head)
      : image
        ? renderTag(file, imageNotAgain)
        : closeTag(tag, head),
})

/**
 * Loads the files of earlier messages as the model was first given them, so that these messages stay the same.
 * @param stored the rows of the files
 * @param isWhole whether the turn of a message is given whole
 * @returns by message @throws ObjectStoreUnavailable
 */
export async function loadGivenFiles(
  deps: ReadingFileDeps,
  sub: string,
  messages: readonly PromptMessage[],
  stored: ReadonlyMap<string, StoredFile>,
  isWhole: (message: PromptMessage) => boolean,
): Promise<ReadonlyMap<PromptMessage, readonly AttachmentContext[]>> {
  const given = messages.flatMap((message) => (message.given?.files ?? []).map((file) => ({ message, file })))
  if (given.length === 0) return new Map()
  const rendered: { message: PromptMessage; context: AttachmentContext }[] = []
  for (let at = 0; at < given.length; at += readsAtOnce) {
    const batch = given.slice(at, at + readsAtOnce).map(async ({ message, file }) => {
      const found = stored.get(file.id)
      const attachment = message.attachments?.find(({ id }) => id === file.id)
      const context =
        found?.state !== 'ready'
          ? attachment && { text: renderTag(attachment, notStored) }
          : isWhole(message)
            ? await renderAgain(deps, sub, found, file)
            : renderShort(found, file)
      return context ? [{ message, context }] : []
    })
    rendered.push(...(await Promise.all(batch)).flat())
  }
  return new Map(
    [...Map.groupBy(rendered, ({ message }) => message)].map(([message, list]) => [
      message,
      list.map(({ context }) => context),
    ]),
  )
}
