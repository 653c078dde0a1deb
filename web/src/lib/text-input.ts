import { useSyncExternalStore, type ChangeEvent } from 'react'
import { readRawInput, subscribeToInputs, writeInput } from './inputs.ts'
import { isComposed } from './keys.ts'

declare const isMade: unique symbol

/** A text that a person types, for a text field. Only `useInput` and `useDraftInput` make one: no field holds a text that could get lost. */
export interface TextInput {
  readonly [isMade]: true
  value: string
  change: (value: string) => void
}

export interface BindOptions {
  /** changes the text as it is typed, such as a limit; never while an input method composes it */
  format?: ((text: string) => string) | undefined
  /** called after each change */
  onInput?: ((text: string) => void) | undefined
}

/** The attributes of a text field that shows an input. */
export function bind(input: TextInput, { format = (text) => text, onInput }: BindOptions = {}) {
  const change = (text: string) => {
    input.change(text)
    onInput?.(text)
  }
  return {
    value: input.value,
    onChange: ({ target, nativeEvent }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      change(isComposed(nativeEvent) ? target.value : format(target.value)),
    onCompositionEnd: ({ currentTarget }: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) => {
      const text = format(currentTarget.value)
      if (text !== input.value) change(text)
    },
  }
}

/** What a key holds, as `readRawInput` reads it. */
export const useRawInput = (key: string): unknown =>
  useSyncExternalStore(subscribeToInputs, () => readRawInput(key))

/** The text of a composer. It is `useInput` without what the first page does not need: the server has no such text, and it is stored. */
export function useDraftInput(key: string): TextInput {
  const text = useRawInput(key)
  return {
    value: text ?? '',
    change: (next) => writeInput(key, next || undefined, true),
  } as TextInput
}
