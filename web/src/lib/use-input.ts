import { useCallback, useEffect } from 'react'
import { isStored, parseInput, readRawInput, writeInput, type Entry } from './inputs.ts'
import { useUnsaved } from './use-unsaved.ts'
import { useRawInput, type TextInput } from './text-input.ts'

export interface InputOptions<Value> {
  /** what the server has, or what the form begins with; empty by default */
  stored?: Value
  /**
   * What leaving its page does. `ask`: it asks before the text is discarded. `keep`: the text is there when the user comes back.
   * `forget`: it goes with the field that shows it, as a search does, or a code.
   */
  onLeave?: 'ask' | 'keep' | 'forget'
}

export interface Input<Value> extends Omit<TextInput, 'value' | 'change'> {
  /** what is shown */
  value: Value
  change: (value: Value) => void
  /** a part of it; a record has its texts by name */
  at: <Name extends keyof Value>(name: Name) => TextInput
  part: (read: (value: Value) => string, write: (value: Value, text: string) => Value) => TextInput
  /** whether something was begun: an editor is open */
  isOpen: boolean
  /** begins with what is stored */
  open: () => void
  /** whether there is something to save */
  isDirty: boolean
  /** the server's text, if it was changed elsewhere after the user began to edit */
  newer: Value | undefined
  /** shows what is stored in place of what was entered */
  reset: () => void
  /**
   * Call it on the input of which `value` was saved. What was typed since then stays, and what was discarded stays away.
   * @param stored what the server has now
   */
  markSaved: (stored: Value) => void
}

/** Spaces around a text are no change. */
const comparable = (value: unknown) => (typeof value === 'string' ? value.trim() : JSON.stringify(value))
const isSame = (a: unknown, b: unknown) => comparable(a) === comparable(b)

function toEntry<Value>(key: string, raw: unknown, stored: Value): Entry<Value> | undefined {
  if (raw === undefined) return undefined
  const entry = Object(parseInput(key, raw)) as Partial<Entry<Value>>
  // storage may hold anything
  return typeof entry.value === typeof stored && typeof entry.base === typeof stored
    ? (entry as Entry<Value>)
    : undefined
}

/** @returns the entry to go on with: one that was not edited follows what is stored */
function findCurrent<Value>(key: string, raw: unknown, stored: Value): Entry<Value> | undefined {
  const entry = toEntry(key, raw, stored)
  if (!entry || isSame(entry.base, stored)) return entry
  return isSame(entry.value, entry.base) || isSame(entry.value, stored)
    ? { value: stored, base: stored }
    : entry
}

/** Keys that closing the page would lose, if they still hold something and are not stored: also of what is not shown any more. */
const unsaved = new Set<string>()
addEventListener('beforeunload', (event) => {
  if ([...unsaved].some((key) => !isStored(key) && readRawInput(key) !== undefined)) event.preventDefault()
})

/** Begins to edit what is stored, if it has not begun. Its `useInput` then says `isOpen`. */
export function openInput(key: string, stored: unknown): void {
  if (!toEntry(key, readRawInput(key), stored)) writeInput(key, { value: stored, base: stored }, true)
}

/**
 * What a person types into a field or a form: every text field has its text from here. It outlives its component,
 * is compared with what the server has, and leaving asks if it would be lost.
 * @param key what it is for, such as `memory/<id>`; how long it is kept depends on it (`inputs.ts`).
 */
export function useInput<Value = string>(
  key: string,
  { stored = '' as Value, onLeave = 'ask' }: InputOptions<Value> = {},
): Input<Value> {
  const entry = findCurrent(key, useRawInput(key), stored)
  const { value, base } = entry ?? { value: stored, base: stored }
  const isDirty = !isSame(value, base)
  const reset = useCallback(() => writeInput(key, undefined), [key])
  useUnsaved(isDirty && onLeave === 'ask', reset)
  useEffect(() => (onLeave === 'forget' ? reset : undefined), [onLeave, reset])

  const readCurrent = () => findCurrent(key, readRawInput(key), stored) ?? { value: stored, base: stored }
  const write = (next: Value, nextBase: Value) => {
    writeInput(key, { value: next, base: nextBase }, true)
    if (onLeave !== 'forget' && !isSame(next, nextBase)) unsaved.add(key)
    else unsaved.delete(key)
  }
  const change = (next: Value) => write(next, readCurrent().base)
  const part: Input<Value>['part'] = (read, writePart) =>
    ({
      value: read(value),
      change: (text) => change(writePart(readCurrent().value, text)),
    }) as TextInput
  const input: Omit<Input<Value>, keyof Omit<TextInput, 'value' | 'change'>> = {
    value,
    change,
    part,
    at: (name) =>
      part(
        (whole) => String(whole[name]),
        (whole, text) => ({ ...whole, [name]: text }),
      ),
    isOpen: entry !== undefined,
    open: () => openInput(key, stored),
    // also true of what was typed after this was rendered
    get isDirty() {
      const current = readCurrent()
      return !isSame(current.value, current.base)
    },
    newer: isDirty && !isSame(stored, base) && !isSame(value, stored) ? stored : undefined,
    reset,
    markSaved: (next) => {
      const current = findCurrent(key, readRawInput(key), stored)
      // discarded meanwhile: nothing is left to edit
      if (!current) return
      if (isSame(current.value, value)) reset()
      else write(current.value, next)
    },
  }
  return input as Input<Value>
}
