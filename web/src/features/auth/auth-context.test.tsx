import { renderHook } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { useAuth } from './auth-context.ts'

it('AUTH-36 throws outside its provider', () => {
  const errorSpy = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  expect(() => renderHook(useAuth)).toThrow('useAuth must be used within an AuthProvider')
  errorSpy.mockClear()
})
