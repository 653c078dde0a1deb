import { expect, it } from 'vitest'
import { linksEndAt } from './object-store.ts'

const at = (time: string) => Date.parse(`2026-11-21T${time}Z`)

it('a link is valid until two hours after the full hour for which it is signed', () => {
  expect(linksEndAt(at('10:00:00'))).toEqual(new Date(at('12:00:00')))
  expect(linksEndAt(at('10:59:59'))).toEqual(new Date(at('12:00:00')))
})

it('a link does not outlive the credentials that sign it', () => {
  expect(linksEndAt(at('10:30:00'), new Date(at('11:00:00')))).toEqual(new Date(at('11:00:00')))
  expect(linksEndAt(at('10:30:00'), new Date(at('16:00:00')))).toEqual(new Date(at('12:00:00')))
})
