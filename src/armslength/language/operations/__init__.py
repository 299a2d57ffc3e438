"""What programs compute with: operators, containers, texts, moments, functions and methods. Each makes its label from all its operands."""
