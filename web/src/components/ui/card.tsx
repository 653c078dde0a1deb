import clsx from 'clsx'
import { createElement, type HTMLAttributes, type Ref } from 'react'
import { cardClass } from './card-class.ts'

interface CardProps extends HTMLAttributes<HTMLElement> {
  as?: 'div' | 'section' | 'ul' | 'figure'
  ref?: Ref<HTMLElement>
}

/** A raised surface with a hairline around it. Its padding is that of what is in it. */
export const Card = ({ as = 'div', className, ...rest }: CardProps) =>
  createElement(as, { ...rest, className: clsx(cardClass, className) })
