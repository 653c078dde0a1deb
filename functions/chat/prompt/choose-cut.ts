import { maxScanBytes, maxScanPages } from '../../files/stored-text.ts'
import { maxImagesForModel } from '../../platform/limits.ts'
import type { Cut } from '../../conversations/store/message-row.ts'
import type { ContextLimits } from './context-limits.ts'
import type { PromptMessage } from './prompt.ts'
import { findStableStart } from './stable-start.ts'
import type { GivenFile } from './transcript.ts'

/** What files take of a prompt's room for them. */
export interface FileSize {
  documentBytes: number
  images: number
  pictures: number
  pdfPages: number
  pdfBytes: number
}

export const noFiles: FileSize = { documentBytes: 0, images: 0, pictures: 0, pdfPages: 0, pdfBytes: 0 }

/** Adds the sizes of two sets of files. */
export const addSizes = (one: FileSize, other: FileSize): FileSize => ({
  documentBytes: one.documentBytes + other.documentBytes,
  images: one.images + other.images,
  pictures: one.pictures + other.pictures,
  pdfPages: one.pdfPages + other.pdfPages,
  pdfBytes: one.pdfBytes + other.pdfBytes,
})

/** What is left of the room for files beside others. */
export function subtractFiles(limits: ContextLimits, files: FileSize): FileSize {
  const left = (most: number, used: number) => Math.max(0, most - used)
  return {
    documentBytes: left(limits.maxDocumentBytes, files.documentBytes),
    images: left(maxImagesForModel, files.images),
    pictures: left(limits.maxPagePictures, files.pictures),
    pdfPages: left(maxScanPages, files.pdfPages),
    pdfBytes: left(maxScanBytes, files.pdfBytes),
  }
}

const isWithin = (files: FileSize, room: FileSize): boolean =>
  files.documentBytes <= room.documentBytes &&
  files.images <= room.images &&
  files.pictures <= room.pictures &&
  files.pdfPages <= room.pdfPages &&
  files.pdfBytes <= room.pdfBytes

/** Sums the sizes of files as the prompt would hold them. */
export const measureFiles = (files: readonly GivenFile[]): FileSize => ({
  documentBytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
  images: files.filter(({ image }) => image).length,
  pictures: files.reduce((sum, { pictures }) => sum + pictures, 0),
  pdfPages: files.reduce((sum, { pdfPages }) => sum + pdfPages, 0),
  pdfBytes: files.reduce((sum, { pdfBytes }) => sum + pdfBytes, 0),
})

/** A turn of the conversation, with its sizes in characters: whole, and in short. */
interface SizedTurn {
  turn: number
  whole: number
  short: number
  files: FileSize
  canBegin: boolean
}

export interface CutInput {
  /** how many characters a message takes */
  measure: (message: PromptMessage, isWhole: boolean) => number
  limits: ContextLimits
  /** the server's name of the model */
  model: string
  /** whether the conversation has messages before these */
  hasEarlier: boolean
  /** where an earlier prompt of the conversation was cut */
  previous?: Cut | undefined
  /** what the files of the new message need */
  need?: FileSize
}

/** The turn of a message; those of a conversation that is not stored are counted. */
export const toTurn = ({ turn }: PromptMessage, index: number): number => turn ?? index

function listTurns(history: readonly PromptMessage[], measure: CutInput['measure']): SizedTurn[] {
  const turns = new Map<number, SizedTurn>()
  for (const [index, message] of history.entries()) {
    const turn = toTurn(message, index)
    const known = turns.get(turn) ?? { turn, whole: 0, short: 0, files: noFiles, canBegin: false }
    turns.set(turn, {
      turn,
      whole: known.whole + measure(message, true),
      short: known.short + measure(message, false),
      files: addSizes(known.files, measureFiles(message.given?.files ?? [])),
      canBegin: known.canBegin || message.role === 'user',
    })
  }
  return [...turns.values()]
}

/** The part of a prompt's characters that turns in full length take after a new cut: it stays for as long as the rest lasts. */
const wholeShare = 1 / 2

/**
 * Where the prompt of a conversation begins, and from which turn on it has results of tools and files in full length. An earlier cut stays
 * until something no longer fits: up to then each prompt begins with the one before. Then older turns are given in short, and those before
 * them not at all.
 * @param history oldest first, with the new message
 * @returns undefined if nothing is cut
 */
export function chooseCut(history: readonly PromptMessage[], input: CutInput): Cut | undefined {
  const { measure, limits, model, hasEarlier, previous, need = noFiles } = input
  const turns = listTurns(history, measure)
  const latest = turns.at(-1)
  const [first] = turns
  if (!latest || !first) return undefined
  const room = subtractFiles(limits, need)
  const fitsFiles = (files: FileSize) => isWithin(files, room)
  const known = previous?.model === model ? previous : undefined
  const currentCut = known ?? { model, from: 0, whole: 0 }
  const sent = turns.filter(({ turn }) => turn >= currentCut.from)
  const characters = sent.reduce(
    (sum, one) => sum + (one.turn >= currentCut.whole ? one.whole : one.short),
    0,
  )
  const sentFiles = sent
    .filter(({ turn }) => turn >= currentCut.whole)
    .reduce((sum, one) => addSizes(sum, one.files), noFiles)
  const isAllThere = !hasEarlier || (known !== undefined && first.turn <= known.from)
  const fits = sent.length <= 1 || (characters <= limits.maxCharacters && fitsFiles(sentFiles))
  if (isAllThere && fits) return known

  const whole = findWhole(turns, latest, { limits, fitsFiles })
  let charactersLeft = limits.maxCharacters
  const fitting: SizedTurn[] = []
  for (const one of turns.toReversed()) {
    charactersLeft -= one.turn >= whole ? one.whole : one.short
    if (charactersLeft < 0 && fitting.length > 0) break
    fitting.unshift(one)
  }
  const isCut = hasEarlier || fitting.length < turns.length
  const start = isCut ? findStableStart(fitting.map((one) => ({ ...one, size: 1 }))) : 0
  return { model, from: isCut ? (fitting[start]?.turn ?? latest.turn) : 0, whole }
}

/** The turn from which on all are given whole. */
function findWhole(
  turns: readonly SizedTurn[],
  latest: SizedTurn,
  { limits, fitsFiles }: { limits: ContextLimits; fitsFiles: (files: FileSize) => boolean },
): number {
  let characters = 0
  let files = noFiles
  const fitting: SizedTurn[] = []
  for (const one of turns.toReversed()) {
    characters += one.whole
    files = addSizes(files, one.files)
    const fits = characters <= limits.maxCharacters * wholeShare && fitsFiles(files)
    if (one !== latest && !fits) {
      const start = findStableStart(
        fitting.map(({ turn }) => ({ turn, size: 1, canBegin: true })),
        one.turn,
      )
      return fitting[start]?.turn ?? latest.turn
    }
    fitting.unshift(one)
  }
  return 0
}
