import * as z from 'zod'
import { readHtmlText } from './html-text.ts'

// The output of a widget names a model. Its state stands in the notebook's metadata, if the notebook was saved with it (the schema of
// ipywidgets for the state of widgets, version 2).

const stateType = 'application/vnd.jupyter.widget-state+json'
const viewType = 'application/vnd.jupyter.widget-view+json'
/** A box may contain itself. */
const maxDepth = 10
/** Boxes and outputs may repeat each other. */
export const maxModels = 2_000

const storedModel = z.object({ model_name: z.string(), state: z.record(z.string(), z.unknown()) })
type Model = z.infer<typeof storedModel>
const storedState = z.object({ [stateType]: z.object({ state: z.record(z.string(), z.unknown()) }) })

/** The models of a notebook, by their ids. */
export type Widgets = ReadonlyMap<string, Model>

/** @param metadata what the notebook's metadata have of its widgets */
export function parseWidgets(metadata: unknown): Widgets {
  const parsed = storedState.safeParse(metadata)
  const models = new Map<string, Model>()
  for (const [id, value] of Object.entries(parsed.data?.[stateType].state ?? {})) {
    const model = storedModel.safeParse(value)
    if (model.success) models.set(id, model.data)
  }
  return models
}

const view = z.object({ model_id: z.string() })

/** @returns the id of the model that an output shows, undefined if it shows none */
export const findModel = (data: Readonly<Record<string, unknown>>): string | undefined =>
  view.safeParse(data[viewType]).data?.model_id

function toWords(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  if (typeof value === 'boolean') return value ? '[x]' : '[ ]'
  return Array.isArray(value) ? value.map(toWords).join(', ') : ''
}
const toPlain = (value: unknown) => readHtmlText(toWords(value)).trim()
const toList = (value: unknown): unknown[] =>
  Array.isArray(value) ? value : typeof value === 'object' && value !== null ? Object.values(value) : []
const toId = (reference: unknown) => String(reference).replace(/^IPY_MODEL_/, '')

/** Models that hold what a cell has written. */
const isOutput = (name: string) => name === 'OutputModel'
/** Models around others; in those of the second kind each has a title. */
const isBox = (name: string) => /^(?:\w{0,20}Box|Tab|Accordion|Stack)Model$/.test(name)
const isSideBySide = (name: string) => name === 'HBoxModel'
/** Models whose value is what a reader sees. */
const isField =
  /^(?:HTML|HTMLMath|Label|\w{0,40}(?:Text|Textarea|Slider|Progress|Checkbox|Valid|ToggleButton|Button|Dropdown|Select|SelectMultiple|RadioButtons|ToggleButtons|Combobox|DatePicker|ColorPicker|Password|TagsInput))Model$/

interface Writer {
  /** writes outputs of a notebook */
  formatOutputs: (outputs: readonly unknown[]) => string
  /** called for each model that is not stored, or whose kind is not known */
  omit: () => void
  /** how many models may still be written */
  budget: { left: number }
}

/** Writes what a widget shows: what was written to it, its parts, or its name and value. */
export function formatWidget(id: string, widgets: Widgets, { formatOutputs, omit, budget }: Writer): string {
  const format = (one: string, outer: readonly string[]): string => {
    const model = widgets.get(one)
    budget.left -= 1
    const isKnown = model && !outer.includes(one) && outer.length < maxDepth && budget.left >= 0
    const { model_name: name, state } = isKnown ? model : unknown
    if (isOutput(name)) return formatOutputs(toList(state['outputs']))
    if (isBox(name)) {
      const titles = toList(state['titles'] ?? state['_titles']).map(toWords)
      const parts = toList(state['children']).map((child, index) => {
        const part = format(toId(child), [...outer, one])
        return titles[index] ? `${titles[index]}\n${part}` : part
      })
      return parts.filter((part) => part !== '').join(isSideBySide(name) ? ' ' : '\n')
    }
    if (isField.test(name)) return formatField({ model_name: name, state })
    omit()
    return ''
  }
  return format(id, [])
}

const unknown: Model = { model_name: '', state: {} }

function formatField({ model_name: name, state }: Model): string {
  // a password is not shown
  const value = name === 'PasswordModel' ? undefined : state['value']
  const options = toList(state['_options_labels'])
  const chosen = Array.isArray(state['index']) ? state['index'] : [state['index']]
  const labels = chosen.flatMap((index) => (typeof index === 'number' ? [toWords(options[index])] : []))
  const read = name.startsWith('HTML') ? toPlain : toWords
  const shown = options.length > 0 ? labels.join(', ') : read(value)
  const limit = name.endsWith('ProgressModel') && shown !== '' ? `/${toWords(state['max'] ?? 100)}` : ''
  return [toPlain(state['description']), `${shown}${limit}`].filter((part) => part !== '').join(' ')
}
