import { describe, expect, it } from 'vitest'
import { isAtDomain, signUpPolicy, formatSignUpPolicy } from './sign-up-policy.ts'

describe('signUpPolicy', () => {
  it.each([
    ['open', 'open', []],
    [' Closed ', 'closed', []],
    ['example.com', 'domains', ['example.com']],
    [' Example.COM , team.example.org,example.com,', 'domains', ['example.com', 'team.example.org']],
    [['example.com', 'example.org'], 'domains', ['example.com', 'example.org']],
    [['closed'], 'closed', []],
    ['Bücher.example', 'domains', ['xn--bcher-kva.example']],
    ['xn--bcher-kva.example', 'domains', ['xn--bcher-kva.example']],
    ['пример.испытание', 'domains', ['xn--e1afmkfd.xn--80akhbyknj4f']],
  ])('reads %j', (value, mode, domains) => {
    expect(signUpPolicy.parse(value)).toEqual({ mode, domains })
  })

  it.each(['open', 'closed', 'example.com,xn--bcher-kva.example'])('formats %s as it was given', (text) => {
    expect(formatSignUpPolicy(signUpPolicy.parse(text))).toBe(text)
  })

  it.each([
    ['example', '("example" is not)'],
    ['open,example.com', '("open" is not)'],
    ['closed,closed', '("closed" is not)'],
    ['yes', '("yes" is not)'],
    ['@example.com', '("@example.com" is not)'],
    ['ann@example.com', '("ann@example.com" is not)'],
    ['*.example.com', '("*.example.com" is not)'],
    ['https://example.com', '("https://example.com" is not)'],
    ['example.com/x', '("example.com/x" is not)'],
    ['example.com:25', '("example.com:25" is not)'],
    ['ex%61mple.com', '("ex%61mple.com" is not)'],
    ['example.com.', '("example.com." is not)'],
    ['.example.com', '(".example.com" is not)'],
    ['a..example', '("a..example" is not)'],
    ['127.0.0.1', '("127.0.0.1" is not)'],
    ['0x7f.1', '("0x7f.1" is not)'],
    ['example.com;example.org', '("example.com;example.org" is not)'],
    [',', 'must be open, closed, or e-mail domains'],
    [true, 'must be open, closed, or e-mail domains'],
    [Array.from({ length: 60 }, (_, index) => `department-${index}.example`), 'not be longer than 1,000'],
  ])('refuses %j and says why', (value, reason) => {
    expect(signUpPolicy.safeParse(value).error?.issues.map(({ message }) => message)).toEqual([
      expect.stringContaining(reason),
    ])
  })
})

describe('isAtDomain', () => {
  const domains = ['example.com', 'xn--bcher-kva.example']

  it.each([
    'ann@example.com',
    'Ann.Lee+x@EXAMPLE.com',
    "o'neill@example.com",
    'ann@xn--bcher-kva.example',
    'a_b-c~d&e@example.com',
  ])('admits %s', (address) => {
    expect(isAtDomain(address, domains)).toBe(true)
  })

  it.each([
    ['a domain that ends alike', 'ann@evil-example.com'],
    ['a sub-domain', 'ann@mail.example.com'],
    ['a domain below another', 'ann@example.com.evil.example'],
    ['two @', 'ann@evil.example@example.com'],
    ['two @, the other way round', 'ann@example.com@evil.example'],
    ['a quoted @', '"ann@evil.example"@example.com'],
    ['an address in brackets', '<ann@evil.example>ann@example.com'],
    ['a list', 'ann@evil.example,ann@example.com'],
    ['a comment', 'ann(@evil.example)@example.com'],
    ['an encoded word', '=?utf-8?q?ann=40evil.example=3e=20?=x@example.com'],
    ['a route by per cent', 'ann%evil.example@example.com'],
    ['a route by exclamation mark', 'evil.example!ann@example.com'],
    ['a dot at the end', 'ann@example.com.'],
    ['white space', 'ann@example.com '],
    ['a line break', 'ann@example.com\nann@evil.example'],
    ['a line break before', 'ann@evil.example\nann@example.com'],
    ['an escape', String.raw`ann\@evil.example@example.com`],
    ['a null', 'ann@evil.example\0@example.com'],
    ['a KELVIN SIGN, which lower case makes a k', 'ann@xn--bcher-\u212Ava.example'],
    ['a full-width dot', 'ann@example\uFF0Ecom'],
    ['a Cyrillic letter', 'ann@ex\u0430mple.com'],
    ['letters of the domain as they are written', 'ann@bücher.example'],
    ['no name', '@example.com'],
    ['no domain', 'ann@'],
    ['no @', 'example.com'],
    ['nothing', ''],
  ])('does not admit %s', (_, address) => {
    expect(isAtDomain(address, domains)).toBe(false)
  })
})
