import { expect, it } from 'vitest'
import { parseGroupNames, selectGroups } from './provider-accounts.ts'

it.each([
  ['', []],
  ['[]', []],
  ['[,]', []],
  ['staff', ['staff']],
  ['[staff]', ['staff']],
  ['[staff,guests]', ['staff', 'guests']],
  ['[staff, guests]', ['staff', 'guests']],
  // commas, brackets, spaces and quotation marks of a name are encoded in a list
  ['[Tax%2C+Audit,%5Bstaff%5D,a%20b,%22c%22]', ['Tax, Audit', '[staff]', 'a b', '"c"']],
  // and stay as they are in a single value, which is one name
  ['Tax, Audit', ['Tax, Audit']],
  ['staff,admins', ['staff,admins']],
  ['[staff', ['[staff']],
  ['[Tax; Audit,staff]', ['[Tax; Audit,staff]']],
  // what cannot be decoded is no group, and does not affect the others
  ['[%E0%A4%A,staff]', ['staff']],
  ['Gr%C3%BC%C3%9Fe', ['Gr%C3%BC%C3%9Fe']],
  ['[Gr%C3%BC%C3%9Fe]', ['Grüße']],
])('DEC-191 reads SAML group names as Cognito writes them: %j', (value, names) => {
  expect(parseGroupNames(value, 'saml')).toEqual(names)
})

it.each(['[x,assistant-admins]', '[assistant-admins]', '[]'])(
  'DEC-191 reads a SAML list as one name from an OIDC provider, whose lists are JSON: %j',
  (value) => {
    expect(parseGroupNames(value, 'oidc')).toEqual(value === '[]' ? [] : [value])
  },
)

it.each(['\u00a0', '\u3000', ' ', '\t', '\ufeff'])(
  'DEC-191 a name with surrounding white space is another group: %j',
  (space) => {
    for (const name of [`${space}assistant-admins`, `assistant-admins${space}`, `${space}staff`]) {
      const encoded = encodeURIComponent(name)
      for (const value of [name, JSON.stringify([name])])
        expect(selectGroups(value, { type: 'oidc', adminGroup: 'assistant-admins' }, knownGroups)).toEqual([])
      for (const value of [name, `[${encoded}]`, `[x,${encoded}]`, `[x, ${encoded}]`])
        expect(selectGroups(value, { type: 'saml', adminGroup: 'assistant-admins' }, knownGroups)).toEqual([])
    }
  },
)

it.each([
  ['["staff"]', ['staff'], ['["staff"]']],
  [
    '["Tax, Audit", "[staff]","a%20b"]',
    ['Tax, Audit', '[staff]', 'a%20b'],
    ['["Tax, Audit", "[staff]","a%20b"]'],
  ],
  ['["staff",1]', ['["staff",1]'], ['["staff",1]']],
  ['{"staff":true}', ['{"staff":true}'], ['{"staff":true}']],
])('DEC-191 reads %j as a list only from an OIDC provider, and only if it is valid', (value, oidc, saml) => {
  expect(parseGroupNames(value, 'oidc')).toEqual(oidc)
  expect(parseGroupNames(value, 'saml')).toEqual(saml)
})

const knownGroups = new Set(['staff', 'guests', 'admins'])

it('DEC-191 counts only known groups, each once, up to 200', () => {
  const unknownGroups = Array.from({ length: 200 }, (_, index) => `group-${index}`)
  expect(
    selectGroups(
      JSON.stringify([...unknownGroups, 'staff', 'guests', 'staff']),
      { type: 'oidc' },
      knownGroups,
    ),
  ).toEqual(['staff', 'guests'])
})

it.each([
  ['admins', undefined, []],
  ['[admins,staff]', undefined, ['staff']],
  ['[admins]', 'assistant-admins', []],
  ['assistant-admins', 'assistant-admins', ['admins']],
  ['[staff,assistant-admins,admins]', 'assistant-admins', ['staff', 'admins']],
  ['[Assistant-Admins]', 'assistant-admins', []],
  ['[IT%2C+Admins]', 'IT, Admins', ['admins']],
  ['[IT,Admins]', 'IT, Admins', []],
  ['["assistant-admins"]', 'assistant-admins', []],
  ['admins', 'admins', ['admins']],
])(
  'DEC-191 %j makes administrators only by the value that the operator chose (%s)',
  (value, adminGroup, groups) => {
    expect(selectGroups(value, { type: 'saml', adminGroup }, knownGroups)).toEqual(groups)
  },
)
