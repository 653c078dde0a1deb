import { expect, it } from 'vitest'
import { getDisplayName, getInitials } from './use-profile.ts'

it.each([
  ['Mika Korhonen', 'm@x.example', 'MK'],
  ['  mika   anders korhonen ', 'm@x.example', 'MA'],
  ['Åse', 'a@x.example', 'Å'],
  ['👩‍🚀 Ripley', 'a@x.example', '👩‍🚀R'],
  ['', 'mika@roastery.example', 'MI'],
  ['   ', 'q@x.example', 'Q'],
  ['', '', ''],
])('MENU-02 LIM-06 DEC-035 gives %j <%s> the initials %j', (name, email, expected) => {
  expect(getInitials(name, email)).toBe(expected)
})

it('MENU-03 DEC-035 shows the local part of the e-mail if there is no name', () => {
  expect(getDisplayName(' ', 'mika.k@roastery.example')).toBe('mika.k')
  expect(getDisplayName(' Mika ', 'mika.k@roastery.example')).toBe('Mika')
})
