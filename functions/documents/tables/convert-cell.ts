import { isHours, type Cell } from './cells.ts'
import { type ColumnPlan, readCompactDate } from './infer.ts'
import { databaseNull, readCell } from './read-cell.ts'

export interface ConvertedCell {
  value: number | string | bigint | null
  other?: string
}

const nullCell: ConvertedCell = { value: null }

export function convertCell(cell: Cell, plan: ColumnPlan): ConvertedCell {
  if (cell === undefined) return nullCell
  if (plan.type === 'text') {
    const text = toText(cell)
    return text === '' || text === databaseNull ? nullCell : { value: text }
  }
  const reading = readCell(cell)
  switch (reading.kind) {
    case 'empty':
    case 'nothing':
      return nullCell
    case 'number': {
      const date = plan.isCompact ? readCompactDate(reading.point) : undefined
      if (date !== undefined) return { value: date }
      const value = plan.type === 'number' ? reading[plan.decimal] : undefined
      if (value === undefined) break
      return { value: plan.isYear ? BigInt(value) : value }
    }
    case 'boolean':
      if (plan.type === 'boolean') return { value: BigInt(reading.value) }
      break
    case 'clock':
      if (plan.type === 'number' && plan.unit === 'hours') return { value: reading.hours }
      // what is nearly midnight is rounded to it
      if (plan.type === 'date') return { value: formatClock(reading.hours).replace(/^24/, '00') }
      break
    case 'date': {
      const date = plan.type === 'date' ? reading[plan.order] : undefined
      if (date === undefined) break
      return { value: plan.hasTime ? `${date} ${reading.time || '00:00:00'}` : date }
    }
  }
  return { value: null, other: toText(cell) }
}

export function toText(cell: Cell): string {
  switch (typeof cell) {
    case 'undefined':
      return ''
    case 'string':
      // SQLite ends a text there
      return (cell.includes('\0') ? cell.replaceAll('\0', '') : cell).trim()
    case 'object':
      return isHours(cell) ? formatClock(cell.value) : `${cell.value} ${cell.unit}`
    case 'boolean':
      return cell ? 'TRUE' : 'FALSE'
    default:
      return String(cell)
  }
}

function formatClock(hours: number): string {
  const sign = hours < 0 ? '-' : ''
  const milliseconds = Math.round(Math.abs(hours) * 3_600_000)
  const seconds = Math.floor(milliseconds / 1_000)
  const rest = milliseconds % 1_000
  const pair = (value: number) => String(value).padStart(2, '0')
  return `${sign}${pair(Math.floor(seconds / 3_600))}:${pair(Math.floor(seconds / 60) % 60)}:${pair(seconds % 60)}${rest === 0 ? '' : `.${String(rest).padStart(3, '0')}`}`
}
