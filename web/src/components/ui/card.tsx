import clsx from 'clsx'
import { createElement, type HTMLAttributes, type Ref } from 'react'

/** The look of a card, for elements that are more than a card. `[--hairline:…]` gives its line another colour. */
export const cardClass = 'rounded-lg bg-surface-raised text-ui hairline'

interface CardProps extends HTMLAttributes<HTMLElement> {
  as?: 'div' | 'section' | 'ul' | 'figure'
  ref?: Ref<HTMLElement>
}

/** A raised surface with a hairline around it. Its padding is that of what is in it. */
export const Card = ({ as = 'div', className, ...rest }: CardProps) =>
  createElement(as, { ...rest, className: clsx(cardClass, className) })
