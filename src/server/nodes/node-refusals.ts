import { AppError } from "../lib/errors.ts";

export function noSuchNode(): AppError {
  return new AppError("not_found", "There is no node with this id");
}

export function notTheOwner(): AppError {
  return new AppError("forbidden", "The node belongs to somebody else");
}

export function accountIsGone(): AppError {
  return new AppError("unauthorized", "The account of this session is gone");
}
