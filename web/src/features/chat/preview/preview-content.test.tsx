import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { PreviewContent } from './preview-content.tsx'

it('code of a kind that this version does not know is not run', () => {
  const { container } = render(
    <PreviewContent
      kind={'python' as never}
      code="<script>alert(1)</script>"
      isComplete
      missing={[]}
      storage={{ current: new Map() as never }}
    />,
  )
  expect(screen.getByText(/cannot show/)).toBeTruthy()
  expect(container.querySelector('iframe')).toBeNull()
})
