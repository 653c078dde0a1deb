import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import clsx from 'clsx'
import { useEffect, useEffectEvent, useId, useLayoutEffect, useMemo, useState, type RefObject } from 'react'
import type { SavedPrompt } from '#shared/contracts/projects.ts'
import { announce } from '../../../lib/browser/announce.ts'
import { insertIntoComposer } from '../../../lib/input/composer-text.ts'
import { useEscape } from '../../../lib/input/escape.ts'
import { isEnter } from '../../../lib/input/keys.ts'
import { assistantPromptsQuery, promptsQuery } from '../../../lib/queries/prompt-queries.ts'
import { toComparable } from '../../../lib/text/comparable-text.ts'

/** More than the name of a prompt has, and than any word: a longer text is a message, and no prompt is looked for. */
const maxWordCharacters = 200

/** How many options an arrow key moves the selection. */
const moves = new Map([
  ['ArrowDown', 1],
  ['ArrowUp', -1],
])

/**
 * Offers saved prompts while the message is `/` and a word: those of the user, the project and the assistant whose name or text has the word.
 * Several words are looked for in names alone, because a longer text that begins with a slash is a message. The field keeps the focus, and
 * its `aria-activedescendant` names the selected prompt; arrow keys, Enter, Tab and Escape in it are for the menu.
 */
export function PromptMenu({
  input,
  text: message,
  projectId,
  assistantId,
}: {
  input: RefObject<HTMLTextAreaElement | null>
  /** the text of the field, which begins with a slash */
  text: string
  projectId: string | null | undefined
  assistantId: string | undefined
}) {
  const id = useId()
  /** the word for which Escape has closed the menu */
  const [closedFor, setClosedFor] = useState<string>()
  const word = message.slice(1)
  const isClosed = closedFor === word || word.includes('\n') || word.length > maxWordCharacters
  const prompts = useSearchablePrompts(assistantId)
  /** the selected option, for as long as the word stays the same */
  const [selected, setSelected] = useState({ word, index: 0 })
  const offered = isClosed ? [] : findPrompts(prompts, word, projectId)
  const { length } = offered
  const index = selected.word === word ? Math.min(selected.index, length - 1) : 0
  const optionId = (at: number) => `${id}-${at}`
  const pick = (text: string) => {
    const field = input.current
    if (field) insertIntoComposer(field, text, 0, field.value.length)
  }
  useEarlyKeys(input, (event) => {
    const prompt = offered[index]
    if (!prompt || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    const move = moves.get(event.key)
    if (move === undefined && !isEnter(event) && event.key !== 'Tab') return
    event.preventDefault()
    // otherwise the composer would send the message
    event.stopPropagation()
    if (move === undefined) return pick(prompt.text)
    const next = (index + move + length) % length
    setSelected({ word, index: next })
    document.getElementById(optionId(next))?.scrollIntoView({ block: 'nearest' })
  })
  useEscape('field', length > 0 ? () => setClosedFor(word) : undefined)
  const activeId = length > 0 ? optionId(index) : undefined
  useActiveOption(input, id, activeId)
  useEffect(() => {
    if (length > 0) announce(plural({ prompts: length }, { one: '# saved prompt', other: `# saved prompts` }))
  }, [length])

  if (length === 0) return null
  return (
    <div
      id={id}
      role="listbox"
      aria-label={t`Saved prompts`}
      className="absolute inset-x-0 bottom-[calc(100%+0.5rem)] z-(--z-popover) max-h-[min(20rem,40dvh)] overflow-y-auto rounded-lg bg-surface-overlay p-1.5 text-ui floating scroll-quiet"
    >
      {offered.map(({ id: promptId, name, text }, at) => (
        <button
          key={promptId}
          id={optionId(at)}
          type="button"
          role="option"
          tabIndex={-1}
          aria-selected={at === index}
          onPointerMove={() => setSelected({ word, index: at })}
          onClick={() => pick(text)}
          className={clsx(
            'block min-h-11 w-full rounded-md px-3 py-1.5 text-start',
            at === index && 'bg-surface-hover forced-colors:outline-2 forced-colors:-outline-offset-2',
          )}
        >
          <span className="block truncate font-medium" dir="auto">
            {name}
          </span>
          <span className="block truncate text-sm text-ink-muted" dir="auto">
            {text}
          </span>
        </button>
      ))}
    </div>
  )
}

/** The prompts of the user and of the assistant, as far as they are loaded. */
function useSearchablePrompts(assistantId: string | undefined) {
  const { data: ownPrompts } = useQuery(promptsQuery)
  const { data: assistantPrompts } = useQuery({
    ...assistantPromptsQuery(assistantId ?? ''),
    enabled: assistantId !== undefined,
  })
  return useMemo(
    () => [...(ownPrompts ?? []), ...(assistantPrompts ?? [])].map(toSearchablePrompt),
    [ownPrompts, assistantPrompts],
  )
}

/** Handles the keys that are pressed in a field before React's listeners do. */
function useEarlyKeys(
  input: RefObject<HTMLTextAreaElement | null>,
  onKeyDown: (event: KeyboardEvent) => void,
): void {
  const handle = useEffectEvent(onKeyDown)
  // a layout effect, so that keys pressed in the moment the menu appears are already for it
  useLayoutEffect(() => {
    const field = input.current
    // a listener of the element itself, which is called before those of React
    const listen = (event: KeyboardEvent) => handle(event)
    field?.addEventListener('keydown', listen)
    return () => field?.removeEventListener('keydown', listen)
  }, [input])
}

/** Tells assistive technology which option of the list is active while the field has the focus. */
function useActiveOption(
  input: RefObject<HTMLTextAreaElement | null>,
  listId: string,
  activeId: string | undefined,
): void {
  useLayoutEffect(() => {
    const field = input.current
    if (activeId === undefined || !field) return
    field.setAttribute('aria-autocomplete', 'list')
    field.setAttribute('aria-controls', listId)
    field.setAttribute('aria-activedescendant', activeId)
    return () => {
      for (const name of ['autocomplete', 'controls', 'activedescendant'])
        field.removeAttribute(`aria-${name}`)
    }
  }, [input, listId, activeId])
}

/** More than anybody reads through: another letter leaves fewer. */
const maxOffered = 50

/** Adds the texts of a prompt in the form in which `findPrompts` compares them. */
const toSearchablePrompt = (prompt: SavedPrompt) => ({
  ...prompt,
  comparableName: toComparable(prompt.name),
  comparableText: toComparable(prompt.text),
})

/**
 * Finds the prompts whose name or text has the word; those with the word in their name first. Several words are looked for in names alone.
 * At most `maxOffered` are returned.
 * @param prompts of the user, of all projects and of the assistant
 * @param projectId those of other projects are left out
 */
function findPrompts(
  prompts: readonly ReturnType<typeof toSearchablePrompt>[],
  word: string,
  projectId: string | null | undefined,
) {
  const searched = toComparable(word).trim()
  return prompts
    .filter(({ project_id }) => project_id === undefined || project_id === projectId)
    .map((prompt) => ({
      ...prompt,
      isNamed: prompt.comparableName.includes(searched),
      hasWord: !searched.includes(' ') && prompt.comparableText.includes(searched),
    }))
    .filter(({ isNamed, hasWord }) => isNamed || hasWord)
    .toSorted((a, b) => Number(b.isNamed) - Number(a.isNamed))
    .slice(0, maxOffered)
}
