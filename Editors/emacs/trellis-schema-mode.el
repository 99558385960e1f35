;;; trellis-schema-mode.el --- Trellis schema files  -*- lexical-binding: t; -*-

;; Package-Requires: ((emacs "26.3") (eglot "1.9"))

;;; Commentary:

;; Highlighting, indentation, and the language server 'trellis lsp' through Eglot, which is part of Emacs 29 and later
;; and a package for older versions.

;;; Code:

(require 'prog-mode)

(defvar trellis-schema-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?/ ". 124b" table)
    (modify-syntax-entry ?* ". 23n" table)
    (modify-syntax-entry ?\n "> b" table)
    (modify-syntax-entry ?` "." table)
    (modify-syntax-entry ?_ "_" table)
    (modify-syntax-entry ?@ "'" table)
    (modify-syntax-entry ?# "'" table)
    (modify-syntax-entry ?\\ "\\" table)
    table)
  "The syntax table of `trellis-schema-mode'.")

(defvar trellis-schema-font-lock-keywords
  `((,(rx "`" (+ (not (any "`\n"))) "`") . font-lock-variable-name-face)
    (,(rx bol (* space) (group "schema") (+ space) (group (+ (or word "_"))) (+ space) (group (+ (any "0-9."))))
     (1 font-lock-keyword-face) (2 font-lock-type-face) (3 font-lock-constant-face))
    (,(rx bol (* space) (group "migration") (+ space) (group "from") (+ space) (group (+ (any "0-9."))))
     (1 font-lock-keyword-face) (2 font-lock-keyword-face) (3 font-lock-constant-face))
    (,(rx bol (* space) (group (or "fill" "dedupe" "custom" "accept")) (+ space)) 1 font-lock-keyword-face)
    (,(rx symbol-start (group (or "class" "struct" "enum")) (+ space) (group (+ (or word "_"))))
     (1 font-lock-keyword-face) (2 font-lock-type-face))
    (,(rx symbol-start (group (or "var" "let")) (+ space) (group (+ (or word "_"))))
     (1 font-lock-keyword-face) (2 font-lock-variable-name-face))
    (,(rx (any "@#") (+ (or word "_"))) . font-lock-preprocessor-face)
    (,(rx symbol-start
          (or "import" "case" "func" "init" "deinit" "subscript" "typealias" "extension" "final" "public" "package"
              "internal" "private" "fileprivate" "static" "indirect" "convenience" "override" "mutating" "where"
              "return" "if" "else" "guard" "switch" "for" "in" "while" "try" "self" "super")
          symbol-end)
     . font-lock-keyword-face)
    (,(rx symbol-start (or "true" "false" "nil") symbol-end) . font-lock-constant-face)
    (,(rx symbol-start (any "A-Z") (* (or word "_"))) . font-lock-type-face))
  "The highlighting of `trellis-schema-mode'.")

(defun trellis-schema-indent-line ()
  "Indent the current line by four spaces for each open bracket.
The text of a multiline string stays where it is."
  (if (nth 3 (syntax-ppss (line-beginning-position)))
      'noindent
    (let* ((depth (save-excursion
                    (back-to-indentation)
                    (- (car (syntax-ppss)) (if (looking-at "[])}]") 1 0))))
           (column (* 4 (max 0 depth))))
      (if (<= (current-column) (current-indentation))
          (indent-line-to column)
        (save-excursion (indent-line-to column))))))

;;;###autoload
(define-derived-mode trellis-schema-mode prog-mode "Trellis Schema"
  "A major mode for Trellis schema files."
  (setq-local comment-start "// ")
  (setq-local comment-start-skip (rx (or (: "//" (* "/")) "/*") (* space)))
  (setq-local comment-end "")
  (setq-local indent-tabs-mode nil)
  (setq-local tab-width 4)
  (setq-local indent-line-function #'trellis-schema-indent-line)
  (setq-local font-lock-defaults '(trellis-schema-font-lock-keywords)))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.schema\\'" . trellis-schema-mode))

(defvar eglot-server-programs)
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs '(trellis-schema-mode "trellis" "lsp")))

(provide 'trellis-schema-mode)

;;; trellis-schema-mode.el ends here
