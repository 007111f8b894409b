import { Link, type LinkComponentProps } from '@tanstack/react-router';
import { type ButtonHTMLAttributes, type MouseEvent, type ReactNode, useCallback, useRef } from 'react';
import { keepFocus } from '../lib/navigation/navigation.ts';
import { classNames } from './class-names.ts';

type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger' | 'danger-quiet';
type ButtonSize = 'sm' | 'md' | 'lg';

const LOOK: Record<ButtonVariant, string> = {
  primary: 'border-transparent bg-ink text-on-ink hover:bg-ink-hover',
  secondary: 'border-line-2 bg-paper shadow-1 hover:border-control hover:bg-hover',
  quiet: 'border-transparent text-fg-2 hover:bg-hover hover:text-fg',
  danger: 'border-transparent bg-danger text-on-danger hover:bg-danger-hover',
  'danger-quiet': 'border-line-2 bg-paper text-danger-text hover:border-danger-line hover:bg-danger-soft',
};
const OFF = 'cursor-default border-transparent bg-press text-fg-3';

const SIZE: Record<ButtonSize, string> = {
  sm: 'min-h-8 px-2.5 text-label pointer-coarse:min-h-10',
  md: 'min-h-(--control-h) px-3.25',
  lg: 'min-h-11 px-4.5 text-section',
};

/** At least as wide as 'Processing' with its spinner, so that the width does not change. */
const ROOM_TO_PROCESS: Record<ButtonSize, string> = {
  sm: 'min-w-[8.6em]',
  md: 'min-w-[8.6em]',
  lg: 'min-w-[9.2em]',
};

/** On small screens long labels wrap instead of widening the page. */
const SHAPE =
  'screen-only inline-flex select-none items-center justify-center gap-1.75 rounded-control border text-center font-[560] max-md:py-0.5 md:whitespace-nowrap transition-colors duration-(--t-fast) hover:duration-0 [&_svg]:-ms-0.5 [&_svg]:size-4 [&_svg]:shrink-0';

function buttonClass(
  variant: ButtonVariant,
  size: ButtonSize,
  isOff: boolean,
  ...more: readonly (string | false | undefined)[]
) {
  return classNames(SHAPE, SIZE[size], isOff ? OFF : `${LOOK[variant]} active:translate-y-[.5px]`, ...more);
}

/** A ref of buttons: one is often removed when it is pressed, such as with the message that it answers. */
const keepFocusOf = (button: HTMLButtonElement) => () => {
  if (document.activeElement === button) keepFocus();
};

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  variant?: ButtonVariant;
  size?: ButtonSize;
  /** While running, the label is 'Processing' and further clicks do nothing. With `aria-disabled` they do nothing either. */
  processing?: boolean | undefined;
}

export function Button({
  variant = 'secondary',
  size = 'md',
  processing,
  type = 'button',
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  const attach = useCallback((element: HTMLButtonElement) => {
    button.current = element;
    return keepFocusOf(element);
  }, []);
  const restWidth = useRef<number>(undefined);
  // Read only before the label changes: after each render of each button, it would take a layout of the page.
  if (processing) restWidth.current ??= button.current?.offsetWidth;
  else restWidth.current = undefined;
  const isOff = processing || rest['aria-disabled'] === true;
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (isOff) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <button
      {...rest}
      ref={attach}
      type={type}
      onClick={press}
      aria-disabled={processing || rest['aria-disabled']}
      style={processing ? { minWidth: restWidth.current } : undefined}
      className={buttonClass(
        variant,
        size,
        isOff || rest.disabled === true,
        processing !== undefined && ROOM_TO_PROCESS[size],
        className,
      )}
    >
      {processing ? (
        <>
          <span className="spin" />
          Processing
        </>
      ) : (
        children
      )}
    </button>
  );
}

interface ButtonLinkProps {
  to: string;
  search?: Readonly<Record<string, string>>;
  variant?: ButtonVariant;
  size?: ButtonSize;
  className?: string | undefined;
  onClick?: (() => void) | undefined;
  'aria-label'?: string | undefined;
  children: ReactNode;
}

/** A link that looks like a button. */
export function ButtonLink({
  to,
  variant = 'secondary',
  size = 'md',
  className,
  search = {},
  children,
  ...rest
}: ButtonLinkProps) {
  return (
    <Link to={to} search={search} {...rest} className={buttonClass(variant, size, false, className)}>
      {children}
    </Link>
  );
}

const ICON_SHAPE =
  'inline-grid shrink-0 place-items-center rounded-control text-fg-2 hover:bg-hover hover:text-fg';
const ICON_SIZE = 'size-8 pointer-coarse:size-10 [&_svg]:size-4';

interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** The accessible name. */
  label: string;
  /** 44 px, for headers on touch screens. */
  large?: boolean;
}

export function IconButton({ label, large = false, className, type = 'button', ...rest }: IconButtonProps) {
  return (
    <button
      {...rest}
      ref={keepFocusOf}
      type={type}
      aria-label={label}
      className={classNames(
        'screen-only',
        ICON_SHAPE,
        large ? 'size-11 [&_svg]:size-5' : ICON_SIZE,
        className,
      )}
    />
  );
}

/** A link that looks like an icon button. */
export function IconLink({ label, ...rest }: LinkComponentProps & { label: string }) {
  return <Link {...rest} aria-label={label} className={`${ICON_SHAPE} ${ICON_SIZE}`} />;
}
